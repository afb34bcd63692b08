/** The layout of a row in the lists of the overview: name, counts below or beside it, and time. */
export const overviewLine =
  'group relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b border-line py-2 sm:grid-cols-[minmax(0,1fr)_12rem_7rem]';
