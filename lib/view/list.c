#include "view/keys.h"
#include "view/list.h"

void
list_go(struct list *list, size_t at)
{
	list->at = at < list->count ? at : list->count ? list->count - 1 : 0;
	if (list->at < list->top)
		list->top = list->at;
	if (list->rows && list->at >= list->top + list->rows)
		list->top = list->at - list->rows + 1;
}

void
list_fit(struct list *list, size_t count, size_t rows)
{
	list->count = count;
	list->rows = rows;
	/* No empty room at the end where lines would fit. */
	if (list->top + rows > count)
		list->top = count > rows ? count - rows : 0;
	list_go(list, list->at);
}

bool
list_key(struct list *list, uint32_t key)
{
	size_t page = list->rows > 1 ? list->rows - 1 : 1;

	switch (key) {
	case KEY_UP:
	case 'k':
		list_go(list, list->at ? list->at - 1 : 0);
		return true;
	case KEY_DOWN:
	case 'j':
		list_go(list, list->at + 1);
		return true;
	case KEY_PAGE_UP:
		list_go(list, list->at > page ? list->at - page : 0);
		return true;
	case KEY_PAGE_DOWN:
		list_go(list, list->at + page);
		return true;
	case KEY_HOME:
		list_go(list, 0);
		return true;
	case KEY_END:
		list_go(list, list->count);
		return true;
	default:
		return false;
	}
}
