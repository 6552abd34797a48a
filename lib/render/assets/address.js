// What an address can hold: text as short as it may be, and names too long for it as hashes.

const LINK_MOST = 2000; // bytes; longer ones are cut by mail and chat

function hashOf(name) {
	let hash = 2166136261;
	for (const c of name)
		hash = Math.imul(hash ^ c.codePointAt(0), 16777619);
	return '~' + (hash >>> 0).toString(36);
}

const encoded = text => encodeURIComponent(text).replace(/%20/g, '+').replace(/%2F/g, '/').replace(/%3A/g, ':').replace(/%3D/g, '=');
const decoded = text => {
	try {
		return decodeURIComponent(text.replace(/\+/g, ' '));
	} catch {
		return text;
	}
};
const shortened = text => text.length > 8 || text.startsWith('~') ? hashOf(text) : text;
