import { LockOpen } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { toast } from '../design/toast.tsx';
import { plainHttpBannerText } from '../messages/settings/plain-http.ts';
import { fieldsOf, toConnectionDraft } from './connection-form-state.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';

/** Asks about a connection that was saved with http:// before Jobdeck asked. It works meanwhile (decision 022). */
export function PlainHttpBanner({ connection }: { connection: Connection }): ReactElement {
  const open = connection.plainHttp.filter(({ isAgreed }) => !isAgreed);
  const change = (): void => useSettingsDialog.getState().open('connections', connection.id);
  const agree = async (): Promise<void> => {
    const plainHttpOrigins = connection.plainHttp.map(({ origin }) => origin);
    const draft = toConnectionDraft({ ...fieldsOf(connection), plainHttpOrigins });
    const saved = await call('connection:save', { draft });
    if (!saved.ok) toast(saved.failure.message);
  };
  return (
    <Banner
      tone="warning"
      icon={<LockOpen />}
      title={plainHttpBannerText.title(connection.name)}
      text={plainHttpBannerText.text(open)}
      actions={
        <>
          <Button size="sm" variant="ghost" onClick={change}>
            {plainHttpBannerText.changeAddress}
          </Button>
          <Button size="sm" onClick={() => void agree()}>
            {plainHttpBannerText.agree}
          </Button>
        </>
      }
    />
  );
}
