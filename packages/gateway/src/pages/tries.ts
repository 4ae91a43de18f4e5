/** How often a form may be sent with details that cannot be taken (SAFETY.md part 6). */
export const MOST_TRIES = 3
