// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Of a stack that a sample's own copy does not hold, the rest: part of filter.bpf.c, whose map fields and whose
 * current_process() and current_thread() it uses. */
#ifndef SOURCE_BPF_COPY_H
#define SOURCE_BPF_COPY_H

/* What copies are put together in. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct stack_copy);
} piece SEC(".maps");

/* An event on each CPU whose output goes into the ring of the samples. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} output SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct copy_counts);
} copied SEC(".maps");

/* Processes with stacks whose end nobody knows (coroutines), that were deeper than their samples. Others'
 * numbers do no harm here but work in vain. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u64); /* since when, for the reader */
} strays SEC(".maps");

/* By thread. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, struct windows);
} windows SEC(".maps");

/* x86-64's, for ever. */
struct user_regs {
	__u64 r12_to_r15[4], bp, others[11], ip, cs, flags, sp, ss;
};

#define PAGE 4096ull
#define USER_CODE_64 0x33
/* Of one stack. */
#define COPY_MOST (2ull << 20)
/* Each piece and, if it was not all there, each of its pages. */
#define TURNS_MOST (COPY_MOST / PAGE + COPY_MOST / PIECE_BYTES + 4)
/* A page that is not there, amid large locals, costs a fault: 1 µs, as much as a page that is copied. */
#define HOLES_MOST (COPY_MOST / PAGE + 1)
/* Whole pieces, and some of pages, where a verifier walks every turn. */
#define TURNS_SLOWLY 256
/* In a window, which begins and ends where nobody knows. */
#define WINDOW_HOLES 16
/* Of a stack that a frame pointer leads to. */
#define LED_MOST (32ull << 10)
/* Frames looked at for one that does, and how far apart two are on one stack. */
#define LED_FRAMES 64
#define LED_APART (256ull << 10)
/* Of the ordinary stack below a signal's. */
#define ORDINARY_TOP (64ull << 10)
/* In the largest dump, and one that it only touches. */
#define DUMP_PAGES 17

static __u64
kernel_word(__u64 address)
{
	__u64 value = 0;

	bpf_probe_read_kernel(&value, sizeof value, (const void *)address);
	return value;
}

static int
is_there(__u64 address)
{
	unsigned char byte;

	return bpf_probe_read_user(&byte, 1, (const void *)address) == 0;
}

/* A verifier forgets what it knew of a number that was put aside. */
#define BOUND(n, most)                        \
	__asm__ volatile("" : "+r"(n));       \
	if ((n) > (most))                     \
		(n) = (most)

/* One turn of copying up to `to`: a piece or, where a piece was not all there, a page. False: it is the last. */
static __attribute__((always_inline)) int
copy_some(void *context, struct stack_copy *p, struct copy_counts *counts, __u64 to, __u32 holes_most)
{
	__u64 from = p->next, size = (from < p->by_pages ? PAGE : PIECE_BYTES) - (from & (PAGE - 1));

	if (from >= to)
		return 0;
	if (size > to - from)
		size = to - from;
	BOUND(size, PIECE_BYTES);
	if (bpf_probe_read_user(p->bytes, size, (const void *)from) == 0) {
		p->address = from;
		p->size = size;
		BOUND(size, PIECE_BYTES);
		if (bpf_perf_event_output(context, &output, BPF_F_CURRENT_CPU, &p->magic, PIECE_HEAD + size) != 0)
			return 0;
		__sync_fetch_and_add(&counts->bytes, p->size);
	} else if (from >= p->by_pages) {
		p->by_pages = from + size;
		return 1;
	} else if (++p->holes >= holes_most) {
		return 0;
	}
	p->next = from + size;
	return 1;
}

struct copying {
	void *context;
	struct stack_copy *piece;
	struct copy_counts *counts;
	__u64 to;
	__u32 holes_most;
};

static int
begin_copying(struct copying *c, void *context, __u64 sp, __u64 from, __u64 to)
{
	__u32 zero = 0;

	c->context = context;
	c->to = to;
	c->piece = bpf_map_lookup_elem(&piece, &zero);
	c->counts = bpf_map_lookup_elem(&copied, &zero);
	if (!c->piece || !c->counts)
		return 0;
	c->piece->magic = PIECE_MAGIC;
	c->piece->sp = sp;
	c->piece->next = from;
	c->piece->by_pages = 0;
	c->piece->holes = 0;
	return 1;
}

static long
copy_turn(__u32 turn, void *copying)
{
	struct copying *c = copying;

	(void)turn;
	return copy_some(c->context, c->piece, c->counts, c->to, c->holes_most) ? 0 : 1;
}

/* Copies what there is of [from, to), up to so many holes. Global, so that a verifier looks at it once, not once a way to it. */
__attribute__((noinline)) int
copy_range(struct bpf_perf_event_data *context, __u64 sp, __u64 from, __u64 to, __u32 holes_most)
{
	struct copying c = { .holes_most = holes_most };

	if (begin_copying(&c, context, sp, from, to))
		bpf_loop(TURNS_MOST, copy_turn, &c, 0);
	return 0;
}

/* The same for kernels before 5.17. Their verifiers, and later ones, take 60 ms over it. */
__attribute__((noinline)) int
copy_range_slowly(struct bpf_perf_event_data *context, __u64 sp, __u64 from, __u64 to, __u32 holes_most)
{
	struct copying c = { .holes_most = holes_most };

	if (!begin_copying(&c, context, sp, from, to))
		return 0;
#pragma clang loop unroll(disable)
	for (int i = 0; i < TURNS_SLOWLY; i++)
		if (!copy_some(context, c.piece, c.counts, to, holes_most))
			break;
	return 0;
}

/* Where the thread's own stack ends, whatever it runs on now. A thread that libc made has its control block
 * right there, whose first word is its address (psABI), and which %fs points to. */
static __u64
ordinary_end(const struct task_fields *at, __u64 task, __u64 mm)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid(), pointer, self = 0;

	if ((__u32)pid_tgid == pid_tgid >> 32)
		return kernel_word(mm + at->start_stack) + 8;
	pointer = kernel_word(task + at->thread_pointer);
	if (pointer && bpf_probe_read_user(&self, sizeof self, (const void *)pointer) == 0 && self == pointer)
		return pointer;
	return 0;
}

/* What the sample's own copy lacks: it ends where it is full, or before the first page that is not in memory. */
static __u64
find_missing(__u64 sp, __u64 end, __u64 dump)
{
	__u64 stop = end - sp < dump ? end : sp + dump, at = sp;

#pragma clang loop unroll(disable)
	for (int i = 0; i < DUMP_PAGES && at < stop; i++) {
		if (!is_there(at))
			return at;
		at = (at | (PAGE - 1)) + 1;
	}
	return stop;
}

/* Where the walk will want to go from sp: to the end of the stack it stands on, perhaps from there to the
 * thread's ordinary one. */
struct way {
	__u64 end;	/* 0: nowhere that we know */
	__u64 ordinary; /* 0: it is the ordinary one */
	int stray;	/* the end is a guess */
};

static void
find_way(const struct task_fields *at, __u64 task, __u64 mm, __u64 sp, struct way *way)
{
	__u32 process = current_process();
	__u64 end = ordinary_end(at, task, mm), signal_stack, size;

	*way = (struct way){ end, 0, 0 };
	if (sp < end && end - sp <= at->dump) /* nearly always */
		return;
	way->end = 0;
	signal_stack = kernel_word(task + at->signal_stack);
	size = kernel_word(task + at->signal_stack_size);
	if (size && sp - signal_stack < size) {
		way->end = signal_stack + size;
		way->ordinary = end;
	} else if (sp < end && end - sp <= COPY_MOST) {
		way->end = end;
	} else if (bpf_map_lookup_elem(&strays, &process)) {
		way->end = sp + STRAY_MOST;
		way->ordinary = end;
		way->stray = 1;
	} else if (sp < end) {
		way->end = end; /* too far, or another stack below it */
	}
}

/* Code that changes the stack but keeps its caller's frame pointer, as Go's does for its system's calls, leads
 * there: to the first frame that does not lie on the stack of those before. */
struct leading {
	__u64 sp, frame, to; /* to: 0: not yet, or nowhere */
};

static long
lead(__u32 turn, void *leading)
{
	struct leading *l = leading;
	__u64 frame = l->frame;

	(void)turn;
	if (!frame || frame % 8)
		return 1;
	if (frame - l->sp > LED_APART) {
		l->to = frame;
		return 1;
	}
	l->sp = frame;
	return bpf_probe_read_user(&l->frame, sizeof l->frame, (const void *)frame) != 0;
}

static __attribute__((always_inline)) void
copy_led(struct bpf_perf_event_data *context, __u64 sp, __u64 frame)
{
	struct leading leading = { sp, frame, 0 };

	bpf_loop(LED_FRAMES, lead, &leading, 0);
	if (leading.to)
		copy_range(context, sp, leading.to, leading.to + LED_MOST, 1);
}

static __attribute__((always_inline)) int
copy_each(struct bpf_perf_event_data *context, __u64 sp,
    int (*copy)(struct bpf_perf_event_data *, __u64, __u64, __u64, __u32))
{
	__u32 thread = current_thread();
	const struct windows *wanted = bpf_map_lookup_elem(&windows, &thread);

	if (!wanted || wanted->count > WINDOWS_MOST)
		return 0;
#pragma clang loop unroll(disable)
	for (unsigned int i = 0; i < WINDOWS_MOST; i++)
		if (i < wanted->count)
			copy(context, sp, wanted->from[i], wanted->from[i] + WINDOW_BYTES, WINDOW_HOLES);
	return 0;
}

/* What is on other stacks: where walks of this thread wanted to go, and where its frame pointer leads (not on
 * kernels before 5.17: their verifiers take long enough). */
__attribute__((noinline)) int
copy_others(struct bpf_perf_event_data *context, __u64 sp, __u64 frame, int wanted_too)
{
	copy_led(context, sp, frame);
	return wanted_too ? copy_each(context, sp, copy_range) : 0;
}

__attribute__((noinline)) int
copy_others_slowly(struct bpf_perf_event_data *context, __u64 sp, __u64 frame, int wanted_too)
{
	(void)frame;
	return wanted_too ? copy_each(context, sp, copy_range_slowly) : 0;
}

static __attribute__((always_inline)) void
copy_rest(struct bpf_perf_event_data *context, int (*copy)(struct bpf_perf_event_data *, __u64, __u64, __u64, __u32),
    int (*copy_other)(struct bpf_perf_event_data *, __u64, __u64, int))
{
	__u32 zero = 0;
	const struct task_fields *at = bpf_map_lookup_elem(&fields, &zero);
	struct copy_counts *counts = bpf_map_lookup_elem(&copied, &zero);
	__u64 task = bpf_get_current_task(), mm, from;
	__u32 process = current_process();
	struct user_regs regs;
	struct way way;

	if (!at || !counts ||
	    bpf_probe_read_kernel(&regs, sizeof regs, (const void *)bpf_task_pt_regs(bpf_get_current_task_btf())) != 0 ||
	    regs.cs != USER_CODE_64)
		return;
	mm = kernel_word(task + at->mm);
	if (!mm || !regs.sp)
		return;
	find_way(at, task, mm, regs.sp, &way);
	if (bpf_map_lookup_elem(&strays, &process))
		copy_other(context, regs.sp, regs.bp, way.end != 0);
	if (!way.end)
		return;
	from = find_missing(regs.sp, way.end, at->dump);
	if (from >= way.end && !way.ordinary)
		return;
	if (from < way.end && way.end - from > COPY_MOST)
		return;
	__sync_fetch_and_add(&counts->stacks, 1);
	if (way.ordinary)
		copy(context, regs.sp, way.ordinary - ORDINARY_TOP, way.ordinary, HOLES_MOST);
	copy(context, regs.sp, from, way.end, way.stray ? 1 : HOLES_MOST);
}

#endif
