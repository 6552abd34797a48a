// Names as people look for them and as they fit: of the page and of the SVG.

// A test of names. An expression that is none is looked for as it is written.
function expression(text, matchCase) {
	try {
		// Without "u" a search of ASCII that ignores case is several times as fast.
		const flags = (matchCase ? '' : 'i') + (/^[\0-\x7f]*$/.test(text) ? '' : 'u'), found = new RegExp(text, flags);
		return name => found.test(name);
	} catch {
		const small = matchCase ? text : text.toLowerCase();
		return name => (matchCase ? name : name.toLowerCase()).includes(small);
	}
}

function isExpression(text) {
	try {
		return Boolean(new RegExp(text, 'u'));
	} catch {
		return false;
	}
}

// What finds this name and no other.
const exactly = name => '^' + name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + '$';

// The text of names at most so many columns wide, ".." where it is cut.
function fitEnd(words, columns) {
	if (words.length > columns + 2)
		words = words.slice(0, columns + 2);
	let used = 0, cut = 0, at = 0;
	for (const character of words) {
		used += character.codePointAt(0) < 0x1100 ? 1 : 2;
		at += character.length;
		if (used > columns)
			return words.slice(0, cut) + '..';
		if (used + 2 <= columns)
			cut = at;
	}
	return words;
}

const turned = text => [...text].reverse().join('');
const fitStart = (words, columns) => turned(fitEnd(turned(words.slice(-columns - 2)), columns));

const share = (part, whole) => (whole ? 100 * part / whole : 0).toFixed(2) + ' %';
