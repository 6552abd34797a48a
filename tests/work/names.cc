// C++ names: namespaces, classes, overloads, templates, lambdas, operators, unnamed namespaces.
#include "work.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace outer
{
namespace inner
{
class Parser
{
public:
	WORK_FUNCTION double parse(double seconds)
	{
		return work_burn(seconds);
	}
	WORK_FUNCTION double parse(double seconds, const std::string &text)
	{
		return work_burn(seconds + 0 * (double)text.size());
	}
	WORK_FUNCTION double operator()(double seconds) const
	{
		return work_burn(seconds);
	}
};
}

template <typename T, int N> struct Box {
	T value[N];
	WORK_FUNCTION double fill(double seconds)
	{
		value[0] = (T)seconds;
		return work_burn(seconds);
	}
};
}

template <typename T> WORK_FUNCTION double
generic(T seconds)
{
	return work_burn(seconds);
}

namespace
{
WORK_FUNCTION double
hidden(double seconds)
{
	return work_burn(seconds);
}
}

int
main(int argc, char *argv[])
{
	double seconds = work_argument(argc, argv, 1, 1), part[7] = {}, sum = 0;
	outer::inner::Parser parser;
	outer::Box<long, 3> box;
	auto lambda = [&](double s) WORK_FUNCTION { return work_burn(s); };

	while (sum < seconds) {
		double slice = work_slice();

		part[0] += parser.parse(0.1 * slice);
		part[1] += parser.parse(0.1 * slice, std::string("text"));
		part[2] += parser(0.15 * slice);
		part[3] += box.fill(0.2 * slice);
		part[4] += generic<double>(0.15 * slice);
		part[5] += hidden(0.1 * slice);
		part[6] += lambda(0.2 * slice);
		sum = 0;
		for (double p : part)
			sum += p;
	}
	work_share("outer::inner::Parser::parse", part[0] + part[1], sum); // overloads are one name
	work_share("outer::inner::Parser::operator()", part[2], sum);
	work_share("outer::Box<long, 3>::fill", part[3], sum);
	work_share("generic<double>", part[4], sum);
	work_share("(anonymous namespace)::hidden", part[5], sum);
	printf("share~\tmain.*[{]lambda\t%.2f\n", 100 * part[6] / sum);
	work_cpu();
	return 0;
}
