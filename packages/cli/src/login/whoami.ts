/** `svc whoami` */
import type { Run } from '../command.ts';
import { connect } from '../connection/connect.ts';
import { safeLine } from '../terminal/safe-text.ts';

export const run: Run = async (invocation, terminal) => {
  const connection = await connect(invocation);
  const { device, user } = (await connection.call('getCurrentDevice')).body;
  const value = {
    email: user.email,
    displayName: user.displayName,
    userId: user.userId,
    deviceId: device.deviceId,
    deviceName: device.deviceName,
    service: connection.origin,
  };
  const { bold, dim } = terminal.colours;
  terminal.result(value, () => [
    `${bold(safeLine(value.email))} on ${value.service}`,
    dim(`device ${safeLine(value.deviceName)} (${value.deviceId})`),
  ]);
};
