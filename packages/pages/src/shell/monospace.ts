/**
 * Fonts of data, rules and other code: a bundled font (`fonts.css`), then a system font. In its own file, because only one of the
 * hosted pages shows code.
 */
export const MONOSPACE = '"Source Code Pro", ui-monospace, monospace';
