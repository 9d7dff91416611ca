/** Shapes of the signs on lines, as paths of 24 units: lines are too many for components of their own. */
export const ROW_SHAPES = {
  chevron: 'M9 6l6 6-6 6z',
  plus: 'M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z',
  pencil: 'M4 17.2V20h2.8L17 9.8 14.2 7zM19.2 7.6a.8.8 0 0 0 0-1.1l-1.7-1.7a.8.8 0 0 0-1.1 0L15 6.2 17.8 9z',
  dots: 'M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm0 2a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm0 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  lock: 'M12 3a4 4 0 0 0-4 4v3H6v10h12V10h-2V7a4 4 0 0 0-4-4zm2 7h-4V7a2 2 0 0 1 4 0z',
} as const;
