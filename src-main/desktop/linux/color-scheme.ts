import { bodyValues, textsBody, type BusMessage } from './bus-message.ts';
import { openSessionBus } from './session-bus.ts';

/** Whether a Linux desktop prefers dark colours. Null: it has no preference, or does not say. */
export type DesktopScheme = 'dark' | 'light' | null;

const settings = {
  destination: 'org.freedesktop.portal.Desktop',
  path: '/org/freedesktop/portal/desktop',
  interface: 'org.freedesktop.portal.Settings',
};
const setting = ['org.freedesktop.appearance', 'color-scheme'] as const;
const changed = [
  "type='signal'",
  `sender='${settings.destination}'`,
  `path='${settings.path}'`,
  `interface='${settings.interface}'`,
  "member='SettingChanged'",
  `arg0='${setting[0]}'`,
].join();

/**
 * Follows what the desktop prefers, whatever theme Jobdeck's windows have: its portal for settings says that on the
 * session's bus (XDG Desktop Portal: Settings). `onScheme` is called with the first answer and each change, and not at
 * all without a portal.
 */
export async function followDesktopScheme(
  environment: NodeJS.ProcessEnv,
  onScheme: (scheme: DesktopScheme) => void,
): Promise<{ close(): void }> {
  const bus = await openSessionBus(environment);
  if (bus === null) return { close: () => undefined };
  // Before the question, so that no change is missed.
  bus.onSignal(changed, (signal) => {
    if (signal.member !== 'SettingChanged' || signal.interface !== settings.interface) return;
    const [group, name, value] = bodyValues(signal);
    if (group === setting[0] && name === setting[1]) onScheme(schemeOf(value));
  });
  const body = textsBody(...setting);
  const ask = (member: string): Promise<BusMessage | null> => bus.call({ ...settings, member, body });
  // `Read` is deprecated, and all that older portals have.
  void ask('ReadOne')
    .then((answer) => (answer?.kind === 'error' ? ask('Read') : answer))
    .then((answer) => {
      if (answer?.kind === 'return') onScheme(schemeOf(bodyValues(answer)[0]));
    });
  return bus;
}

function schemeOf(value: string | number | undefined): DesktopScheme {
  if (value === 1) return 'dark';
  return value === 2 ? 'light' : null;
}
