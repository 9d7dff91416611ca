/** Children on a page as it is asked for. */
export const PAGE_SIZE = 200;
