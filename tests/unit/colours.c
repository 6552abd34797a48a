/* Text can be read on every colour that a box may have: WCAG's contrast of 4.5, computed here once more. */
#include <math.h>

#include "render/colour.h"
#include "tap.h"

static double linear[256];

static double
luminance(uint32_t rgb)
{
	return 0.2126 * linear[rgb >> 16 & 255] + 0.7152 * linear[rgb >> 8 & 255] + 0.0722 * linear[rgb & 255];
}

static double
contrast(uint32_t one, uint32_t other)
{
	double a = luminance(one), b = luminance(other);

	return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

int
main(void)
{
	double least = 99;

	for (int i = 0; i < 256; i++)
		linear[i] = i / 255.0 <= 0.04045 ? i / 255.0 / 12.92 : pow((i / 255.0 + 0.055) / 1.055, 2.4);
	ok(fabs(contrast(0xffffff, 0x000000) - 21) < 1e-9 && fabs(contrast(0x777777, 0xffffff) - 4.478) < 0.001,
	    "contrast is WCAG's");
	for (int dark = 0; dark < 2; dark++) {
		unsigned worst = 0;

		least = 99;
		for (unsigned colour = 0; colour < COLOUR_END; colour++) {
			double c = contrast(colour_rgb(colour, dark), dark ? COLOUR_TEXT_DARK : COLOUR_TEXT_LIGHT);

			worst = c < least ? colour : worst;
			least = c < least ? c : least;
		}
		ok(least >= 4.5, "our own %d colours, %s: at least 4.5", COLOUR_END, dark ? "dark" : "light");
		note("%.2f with colour %u, #%06x", least, worst, colour_rgb(worst, dark));
	}
	least = 99;
	for (uint32_t rgb = 0; rgb < 1u << 24; rgb++) {
		double c = contrast(rgb, colour_text_on(rgb));

		least = c < least ? c : least;
	}
	ok(least >= 4.5, "any colour of a palette, all 2^24: black or white has at least 4.5");
	note("%.2f", least);
	return done_testing();
}
