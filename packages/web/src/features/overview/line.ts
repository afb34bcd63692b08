/** The shape of a line in the lists of the first page: its name, counts under it or beside it, and its time. */
export const overviewLine =
  'group relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b border-line py-2 sm:grid-cols-[minmax(0,1fr)_12rem_7rem]';
