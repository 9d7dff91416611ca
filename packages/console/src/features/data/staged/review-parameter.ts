/** Parameter of the address that shows the staged edits. */
export const REVIEW = 'review';
