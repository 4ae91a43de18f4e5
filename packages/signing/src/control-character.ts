/** Matches what `\p{Cc}` does, but without making V8 load Unicode's tables at every import. */
export const CONTROL_CHARACTER = /[^ -~\u00a0-\uffff]/
