import { expect, it } from 'vitest';
import { autostartFile, isAutostartOn } from '../../../../src-main/desktop/system-settings/desktop-files.ts';

const execOf = (command: string[]): string => /^Exec=(.*)$/m.exec(autostartFile(command))?.[1] ?? '';

it('a start at login is written as the Desktop Entry Specification requires', () => {
  expect(autostartFile(['/opt/Jobdeck/jobdeck', '--hidden'])).toMatch(/^\[Desktop Entry\]\nType=Application\n/);
  expect(execOf(['/opt/Jobdeck/jobdeck', '--hidden'])).toBe('"/opt/Jobdeck/jobdeck" "--hidden"');
  expect(execOf(['/home/a b/100%/$x`"\\'])).toBe('"/home/a b/100%%/\\\\$x\\\\`\\\\"\\\\\\\\"');
});

it('a start at login is off if the user deleted the file, or a desktop program disabled it there', () => {
  const file = autostartFile(['/opt/Jobdeck/jobdeck']);
  expect(isAutostartOn(file)).toBe(true);
  expect(isAutostartOn(null)).toBe(false);
  expect(isAutostartOn(file.replace('enabled=true', 'enabled=false'))).toBe(false);
  expect(isAutostartOn(`${file}Hidden=true\n`)).toBe(false);
});
