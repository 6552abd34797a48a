#include "base/warn.h"
#include "fold/reader.h"

void
folded_stream_open(struct folded_stream *stream, struct input *input, const struct folded_options *options)
{
	*stream = (struct folded_stream){ .input = input, .options = options };
}

/* Lines up to a profile's end. False: there are no more; what was read then is all there is. */
static bool
read_lines(struct folded_stream *stream, struct reader *reader, int *result)
{
	size_t length;
	char *line;

	while (*result == 0 && lines_next(&stream->lines, &line, &length)) {
		*result = reader_line(reader, line, length, stream->lines.number);
		if (reader->open && reader->ended)
			return true;
	}
	if (stream->lines.failed)
		*result = -1;
	if (stream->lines.too_long && *result == 0)
		*result = reader_skip(reader, stream->lines.first_too_long, "line of more than 256 MiB");
	return false;
}

static void
close_member(struct folded_stream *stream)
{
	if (stream->in_member)
		lines_close(&stream->lines);
	stream->in_member = false;
}

/* 1: a profile, 0: no more in this member, -1: said. */
static int
next_of_member(struct folded_stream *stream, struct fold *fold)
{
	struct reader reader;
	int result = 0;
	bool is_whole, is_there;

	reader_open(&reader, fold, stream->options);
	reader.file = input_name(stream->input);
	is_whole = read_lines(stream, &reader, &result);
	is_there = reader.open;
	if (!is_whole && is_there && stream->profiles && result == 0) {
		warn("%s ends within a profile, which is left out", reader.file);
		is_there = false;
	}
	if (reader.open && profile_close(&reader) < 0)
		result = -1;
	reader_say_skipped(&reader);
	if (!is_whole)
		close_member(stream);
	if (reader_close(&reader, result) < 0)
		return -1;
	stream->profiles += is_there;
	return is_there;
}

int
folded_stream_next(struct folded_stream *stream, struct fold *fold)
{
	int result;

	for (;;) {
		if (!stream->in_member) {
			result = input_next_member(stream->input);
			if (result <= 0)
				return result;
			if (reader_refuse(stream->input) < 0)
				return -1;
			lines_open(&stream->lines, stream->input);
			stream->in_member = true;
		}
		result = next_of_member(stream, fold);
		if (result)
			return result;
		/* What a profile that is left out has put there. */
		fold_release(fold);
		fold_init(fold);
	}
}

void
folded_stream_close(struct folded_stream *stream)
{
	close_member(stream);
}
