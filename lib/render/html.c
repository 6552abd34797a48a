#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "render/assets.h"
#include "render/html.h"
#include "render/markup.h"
#include "render/pack.h"
#include "render/settings.h"
#include "render/still.h"

static void
asset(struct out *out, const struct asset *file)
{
	out_add(out, file->start, (size_t)(file->end - file->start));
}

static void
write_script(struct out *out)
{
	asset(out, &asset_page_js);
}

static void
write_style(struct out *out)
{
	asset(out, &asset_page_css);
	still_style(out);
}

static int
write_file(const char *page, const char *extension, void (*write)(struct out *out), char **name)
{
	char *path = mem_print("%.*s%s", (int)(strlen(page) - strlen(".html")), page, extension);
	const char *slash = strrchr(path, '/');
	struct out *out = out_open(path, false);

	*name = mem_print("%s", slash ? slash + 1 : path);
	free(path);
	if (!out)
		return -1;
	write(out);
	return out_close(out);
}

int
html_write_beside(const char *page, char **script, char **style)
{
	int failed = write_file(page, ".js", write_script, script);

	return write_file(page, ".css", write_style, style) < 0 || failed < 0 ? -1 : 0;
}

bool
html_link_is_safe(const char *template)
{
	static const char *const schemes[] = {
		"http://", "https://", "vscode://", "vscode-insiders://", "vscodium://", "cursor://", "idea://",
		"jetbrains://", "emacs://", "subl://", "txmt://", "zed://", "editor://", "nvim://",
	};

	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (strncasecmp(template, schemes[i], strlen(schemes[i])) == 0)
			return true;
	return false;
}

/* A file's name as an address: what would mean something there is %xx. */
static void
address(struct out *out, const char *before, const char *name, const char *after)
{
	out_text(out, before);
	for (const unsigned char *p = (const unsigned char *)name; *p; p++)
		if (*p < 0x80 && (isalnum(*p) || strchr("-._~", *p)))
			out_char(out, (char)*p);
		else
			out_print(out, "%%%02X", *p);
	out_text(out, after);
}

/* Nothing may be fetched, whatever the data says. */
static void
write_head(const struct html *html, const char *title, struct out *out)
{
	out_print(out, "<!DOCTYPE html>\n<html lang=\"en\" data-gp-profiles=\"%zu\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src %s; script-src %s; "
	    "img-src data: blob:; base-uri 'none'; form-action 'none'\">\n", html->count,
	    html->style ? "'self' file:" : "'unsafe-inline'", html->script ? "'self' file:" : "'unsafe-inline'");
	out_print(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
	    "<title>%s</title>\n", title);
	if (html->style) {
		address(out, "<link rel=\"stylesheet\" href=\"", html->style, "\">\n");
	} else {
		out_text(out, "<style>\n");
		write_style(out);
		out_text(out, "</style>\n");
	}
	out_text(out, "</head>\n");
}

void
html_write(const struct html *html, struct picture *picture, struct out *out)
{
	const struct tree *tree = &html->trees[0];
	const struct header *header = &tree->fold->header;
	struct amounts amounts = picture_amounts(picture, header, tree->total);
	struct buf title = { 0 }, subtitle = { 0 }, words = { 0 };

	picture_title(picture, header, &words);
	markup_text(&title, words.data ? words.data : "", words.length);
	buf_clear(&words);
	picture_subtitle(picture, header, &amounts, &words);
	markup_text(&subtitle, words.data ? words.data : "", words.length);
	write_head(html, title.data ? title.data : "", out);
	out_print(out, "<body>\n<header>\n<div class=\"words\">\n<h1>%s</h1>\n<p id=\"subtitle\">%s</p>\n</div>\n",
	    title.data ? title.data : "", subtitle.data ? subtitle.data : "");
	asset(out, &asset_page_html);
	still_write(tree, picture, out);
	settings_write(html, picture, out);
	for (size_t tab = 0; tab < html->count; tab++)
		pack_write(&html->trees[tab], tab, picture, out);
	if (html->script) {
		address(out, "<script src=\"", html->script, "\"></script>\n");
	} else {
		out_text(out, "<script>\n");
		write_script(out);
		out_text(out, "</script>\n");
	}
	out_text(out, "</body>\n</html>\n");
	buf_release(&title);
	buf_release(&subtitle);
	buf_release(&words);
}
