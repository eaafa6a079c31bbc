// XML 1.0 has no place for these, not even escaped.
// eslint-disable-next-line no-control-regex
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;
/** Tabs and line ends would otherwise be read as blanks. */
const SPECIAL = /[&<>"\t\n\r]/g;

/** For an element or an attribute in double quotes. */
export const xmlText = (text: string): string =>
  text.replace(IMPOSSIBLE, '\ufffd').replace(SPECIAL, (char) => `&#${char.charCodeAt(0)};`);

/** Attributes in double quotes; those that are undefined are left out. */
export const xmlAttributes = (values: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : ` ${name}="${xmlText(String(value))}"`))
    .join('');
