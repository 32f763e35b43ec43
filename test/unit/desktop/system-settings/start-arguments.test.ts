import { describe, expect, it } from 'vitest';
import { restartOptions } from '../../../../src-main/desktop/system-settings/start-arguments.ts';

const facts = { argv: ['/opt/Jobdeck/jobdeck'], appImage: undefined, isShown: true };

describe('a restart', () => {
  it('shows a window if one is shown now, and none otherwise, whatever the start was', () => {
    const [program = ''] = facts.argv;
    const hidden = [program, '--hidden', '--lang=de'];
    expect(restartOptions({ ...facts, argv: hidden })).toEqual({ args: ['--lang=de'] });
    expect(restartOptions({ ...facts, argv: hidden, isShown: false })).toEqual({ args: ['--lang=de', '--hidden'] });
    expect(restartOptions({ ...facts, isShown: false })).toEqual({ args: ['--hidden'] });
  });

  it('does not follow the link of the start again', () => {
    const argv = ['jobdeck', 'JobDeck://new?endpoint=echo', '--user-data-dir=/home/a b'];
    expect(restartOptions({ ...facts, argv })).toEqual({ args: ['--user-data-dir=/home/a b'] });
  });

  it('of an AppImage is by its own file, with the same arguments', () => {
    const argv = ['/tmp/.mount_Jobdec/jobdeck', '--ozone-platform=x11'];
    const appImage = '/home/a/Jobdeck.AppImage';
    expect(restartOptions({ argv, appImage, isShown: true })).toEqual({
      args: ['--ozone-platform=x11'],
      execPath: appImage,
    });
  });
});
