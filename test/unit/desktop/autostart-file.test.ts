import { expect, it } from 'vitest';
import { autostartFile } from '../../../src-main/desktop/autostart-file.ts';

const execOf = (command: string[]): string => /^Exec=(.*)$/m.exec(autostartFile(command))?.[1] ?? '';

it('a start at login is written as the Desktop Entry Specification has it', () => {
  expect(autostartFile(['/opt/Jobdeck/jobdeck', '--hidden'])).toMatch(/^\[Desktop Entry\]\nType=Application\n/);
  expect(execOf(['/opt/Jobdeck/jobdeck', '--hidden'])).toBe('"/opt/Jobdeck/jobdeck" "--hidden"');
  expect(execOf(['/home/a b/100%/$x`"\\'])).toBe('"/home/a b/100%%/\\\\$x\\\\`\\\\"\\\\\\\\"');
});
