#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "record/labels.h"

/* A slice is written with milliseconds. */
#define SLICE_MIN 1000000u

static const char *const names[LABEL_COUNT] = {
	[LABEL_TIME] = "time", [LABEL_HOST] = "host", [LABEL_CONTAINER] = "container",
	[LABEL_CGROUP] = "cgroup", [LABEL_PID] = "pid",
	[LABEL_TID] = "tid", [LABEL_THREAD] = "thread", [LABEL_CPU] = "cpu",
};

const char *
label_name(enum label label)
{
	return names[label];
}

static char *
add(struct labels *labels, enum label label)
{
	for (size_t i = 0; i < labels->count; i++)
		if (labels->list[i] == label)
			return mem_print("--by: %s twice", names[label]);
	if (label == LABEL_TIME) { /* canonical order is then order of time */
		memmove(labels->list + 1, labels->list, labels->count * sizeof *labels->list);
		labels->list[0] = label;
		labels->count++;
	} else {
		labels->list[labels->count++] = label;
	}
	return NULL;
}

static char *
parse_one(struct labels *labels, char *word)
{
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < LABEL_COUNT; i++) {
		if (strcmp(names[i], word) != 0)
			continue;
		if ((i == LABEL_TIME) != (value != NULL))
			return mem_print(value ? "--by: %s takes no value" : "--by: %s needs a slice: time=100ms", word);
		if (value && (number_duration(value, &labels->slice_ns) < 0 || labels->slice_ns < SLICE_MIN ||
				 labels->slice_ns % SLICE_MIN))
			return mem_print("--by: time=%s is not a number of whole milliseconds such as 100ms or 1s", value);
		return add(labels, (enum label)i);
	}
	return mem_print("--by: unknown label '%s': there are time=SLICE host container cgroup pid tid thread cpu", word);
}

char *
labels_parse(struct labels *labels, const char *text)
{
	char *copy = mem_print("%s", text), *save = NULL;
	char *wrong = NULL;

	*labels = (struct labels){ 0 };
	for (char *word = strtok_r(copy, ",", &save); word && !wrong; word = strtok_r(NULL, ",", &save))
		wrong = parse_one(labels, word);
	free(copy);
	return wrong || labels->count ? wrong : mem_print("--by: no label given");
}
