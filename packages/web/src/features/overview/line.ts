/** The layout of a row in the lists of the overview: name, counts below or beside it, and time. */
export const overviewLine =
  'group relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1 px-4 py-2.5 hover:bg-hover md:grid-cols-[minmax(0,1fr)_23rem_7rem]';
/** The list around the rows. */
export const overviewList = 'card w-full divide-y divide-line overflow-hidden';
/** The layout of a project: name, counts, trend and last scans. */
export const projectLine =
  'group relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1 px-4 py-2.5 hover:bg-hover md:grid-cols-[minmax(0,1fr)_20rem_7rem] lg:grid-cols-[minmax(0,1fr)_23rem_10rem_11rem] xl:grid-cols-[minmax(0,1fr)_23rem_10rem_17rem]';
