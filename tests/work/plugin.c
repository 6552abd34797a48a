/* A library to be loaded: the name of its function is given by the build. */
#include "work.h"

double PLUGIN(double seconds);

WORK_FUNCTION double
PLUGIN(double seconds)
{
	return work_burn(seconds);
}
