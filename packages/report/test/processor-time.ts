/** Processor time that the work takes, in milliseconds: what else the machine does is not counted. */
export function processorMs(work: () => void): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
