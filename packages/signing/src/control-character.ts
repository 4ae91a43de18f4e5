/** A control character: what `\p{Cc}` finds, for which V8 would load Unicode's tables at every import. */
export const CONTROL_CHARACTER = /[^ -~\u00a0-\uffff]/
