import { describe, expect, it } from 'vitest';
import { createLoginSetting } from '../../../../src-main/desktop/system-settings/login-setting.ts';

/** A system, a setting, and what happened between them. */
function scene({ isOn, accepts = true, error = null }: { isOn: boolean; accepts?: boolean; error?: string | null }) {
  const seen: string[] = [];
  const system = {
    current: isOn,
    isOn: async () => system.current,
    async renew() {
      seen.push('renewed');
    },
    async set(wanted: boolean) {
      seen.push(`set ${wanted ? 'on' : 'off'}`);
      if (error !== null) throw new Error(error);
      if (accepts) system.current = wanted;
    },
  };
  const setting = createLoginSetting({
    system,
    follow(now) {
      seen.push(`setting is ${now ? 'on' : 'off'}`);
      setting.settingIs(now);
    },
    refused: (detail) => void seen.push(`refused: ${detail}`),
  });
  /** Lets everything that was begun end. */
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { seen, setting, settled };
}

describe('starting at login', () => {
  it('is left alone at a start if the system matches the setting', async () => {
    const { seen, setting, settled } = scene({ isOn: true });
    setting.settingIs(true);
    await settled();
    setting.settingIs(true);
    await settled();
    expect(seen).toEqual(['renewed']);
  });

  it('follows what the user turned off in the system, and ignores what was never set', async () => {
    const switchedOff = scene({ isOn: false });
    switchedOff.setting.settingIs(true);
    await switchedOff.settled();
    expect(switchedOff.seen).toEqual(['setting is off']);
    const ofAnother = scene({ isOn: true });
    ofAnother.setting.settingIs(false);
    await ofAnother.settled();
    expect(ofAnother.seen).toEqual([]);
  });

  it('is set once when the setting changes', async () => {
    const { seen, setting, settled } = scene({ isOn: false });
    setting.settingIs(false);
    setting.settingIs(true);
    setting.settingIs(true);
    await settled();
    expect(seen).toEqual(['set on']);
  });

  it('goes back if the system refuses or does not keep it, and says so', async () => {
    const failing = scene({ isOn: false, error: 'access denied' });
    failing.setting.settingIs(false);
    failing.setting.settingIs(true);
    await failing.settled();
    expect(failing.seen).toEqual(['set on', 'refused: access denied', 'setting is off']);
    const forgetful = scene({ isOn: false, accepts: false });
    forgetful.setting.settingIs(false);
    forgetful.setting.settingIs(true);
    await forgetful.settled();
    expect(forgetful.seen).toEqual(['set on', 'refused: the system did not save the change', 'setting is off']);
  });
});
