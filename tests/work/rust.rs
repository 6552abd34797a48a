// Rust names: modules, traits, generics, closures: rust [seconds]. Says its truth as work.h's programs do.
use std::hint::black_box;

mod work {
    #[repr(C)]
    struct Timespec {
        seconds: i64,
        nanoseconds: i64,
    }
    extern "C" {
        fn clock_gettime(clock: i32, to: *mut Timespec) -> i32;
    }
    const PROCESS_CPU: i32 = 2;
    const THREAD_CPU: i32 = 3;

    fn clock(which: i32) -> f64 {
        let mut now = Timespec { seconds: 0, nanoseconds: 0 };
        unsafe { clock_gettime(which, &mut now) };
        now.seconds as f64 + now.nanoseconds as f64 * 1e-9
    }
    pub fn process_cpu() -> f64 {
        clock(PROCESS_CPU)
    }
    #[inline(always)]
    pub fn burn(seconds: f64) -> f64 {
        let begin = clock(THREAD_CPU);
        loop {
            let mut x: u64 = 88172645463325252;
            for _ in 0..20000 {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                x = super::black_box(x);
            }
            let got = clock(THREAD_CPU) - begin;
            if got >= seconds {
                return got;
            }
        }
    }
}

mod kitchen {
    pub trait Cook {
        fn cook(&self, seconds: f64) -> f64;
    }
    pub struct Oven;
    impl Cook for Oven {
        #[inline(never)]
        fn cook(&self, seconds: f64) -> f64 {
            super::work::burn(seconds)
        }
    }
    #[inline(never)]
    pub fn stir<T: Into<f64>>(seconds: T) -> f64 {
        super::work::burn(seconds.into())
    }
    #[inline(never)]
    pub fn apply(f: &dyn Fn(f64) -> f64, seconds: f64) -> f64 {
        super::black_box(f(seconds))
    }
}

fn main() {
    use kitchen::Cook;
    let seconds: f64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1.0);
    let oven: Box<dyn Cook> = Box::new(kitchen::Oven);
    let mut part = [0.0f64; 3];
    let closure: &dyn Fn(f64) -> f64 = &|s: f64| work::burn(s);
    let (mut sum, mut turn) = (0.0, 0u32);
    while sum < seconds {
        turn = turn.wrapping_mul(1103515245).wrapping_add(12345);
        let slice = 0.001 + 0.007 * ((turn >> 16) & 1023) as f64 / 1023.0;
        part[0] += oven.cook(0.5 * slice);
        part[1] += kitchen::stir(0.3 * slice);
        part[2] += kitchen::apply(black_box(closure), 0.2 * slice);
        sum = part.iter().sum();
    }
    println!("share\t<rust::kitchen::Oven as rust::kitchen::Cook>::cook\t{:.2}", 100.0 * part[0] / sum);
    println!("share~\trust::kitchen::stir\t{:.2}", 100.0 * part[1] / sum);
    println!("share\trust::kitchen::apply\t{:.2}", 100.0 * part[2] / sum);
    println!("share~\trust::main::[{{][{{]?closure\t{:.2}", 100.0 * part[2] / sum);
    println!("cpu_s\t{:.4}", work::process_cpu());
}
