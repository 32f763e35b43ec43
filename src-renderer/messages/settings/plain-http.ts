import type { PlainHttp } from '../../../src-preload/connection.ts';

/** The banner about a connection that was saved with http:// before Jobdeck asked. */
export const plainHttpBannerText = {
  title: (name: string): string => `${name} is not encrypted`,
  text: (open: readonly PlainHttp[]): string => {
    const what = open.map(({ carries, host }) => `${carries} travel over http:// to ${host}`).join('. ');
    return `${what}. Jobdeck still sends requests there. Is that intended?`;
  },
  changeAddress: 'Change address',
  agree: 'Send unencrypted',
};
