import { Bell, HardDrive, Info, Network, Plus, SlidersHorizontal, X, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { IconButton } from '../design/icon-button.tsx';
import { Logo } from '../design/logo.tsx';
import { NotificationSettings } from '../notifications/notification-settings.tsx';
import { Sheet } from '../design/dialog.tsx';
import type { Connection } from '../../src-preload/connection.ts';
import { useSession } from '../data/session-store.ts';
import { commonText } from '../messages/common.ts';
import { settingsText } from '../messages/settings/preferences.ts';
import { AboutPage } from './about-page.tsx';
import { connectionForms, formOf, isEdited, unchangedFields } from './connection-edits.ts';
import { ConnectionPage } from './connection-page.tsx';
import { NetworkPage } from './network-page.tsx';
import { Preferences } from './preferences.tsx';
import { StoragePage } from './storage-page.tsx';
import { revealSetting } from './reveal-setting.ts';
import { FoundSettings, SettingsSearchField } from './settings-search.tsx';
import styles from './settings-dialog.module.css';
import { useSettingsDialog, type SettingsSection } from '../navigation/settings-dialog-store.ts';

/** Connections with their keys, and the preferences. */
export function SettingsDialog(): ReactElement {
  const { isOpen, section, connectionId, begun, setting, close } = useSettingsDialog();
  const connections = useSession((state) => state.connections);
  const connection = connections.find((each) => each.id === connectionId) ?? null;
  const page = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  useEffect(() => {
    if (!isOpen || setting === null || page.current === null) return undefined;
    return revealSetting(page.current, setting);
  }, [isOpen, section, setting]);
  return (
    <Sheet
      label={settingsText.title}
      isOpen={isOpen}
      onClose={close}
      width={860}
      height={880}
      takeFocus={() => focusSetting(page.current, setting)}
    >
      <div className={styles.frame}>
        <nav className={styles.rail} aria-label={settingsText.title}>
          <h2 className={styles.title}>{settingsText.title}</h2>
          <SettingsSearchField query={query} onQuery={setQuery} />
          {query.trim() === '' ? <Pages /> : <FoundSettings query={query} />}
        </nav>
        <div ref={page} className={styles.page}>
          {section === 'preferences' && <Preferences />}
          {section === 'notifications' && <NotificationSettings />}
          {section === 'network' && <NetworkPage />}
          {section === 'storage' && <StoragePage />}
          {section === 'about' && <AboutPage />}
          {section === 'connections' && (
            <ConnectionPage key={formOf(connectionId, begun)} connection={connection} begun={begun} />
          )}
        </div>
        <div className={styles.close}>
          <IconButton label={commonText.close} icon={<X size={16} strokeWidth={1.75} />} onClick={close} />
        </div>
      </div>
    </Sheet>
  );
}

interface PageEntry {
  section: SettingsSection;
  icon: LucideIcon;
}

const pages: readonly PageEntry[] = [
  { section: 'preferences', icon: SlidersHorizontal },
  { section: 'notifications', icon: Bell },
  { section: 'network', icon: Network },
  { section: 'storage', icon: HardDrive },
  { section: 'about', icon: Info },
];

/** The pages, and the connections with a page each. */
function Pages(): ReactElement {
  const { section, connectionId, choose } = useSettingsDialog();
  const connections = useSession((state) => state.connections);
  return (
    <>
      {pages.map(({ section: each, icon: Icon }) => (
        <button
          key={each}
          type="button"
          className={section === each ? styles.on : styles.entry}
          aria-current={section === each}
          onClick={() => choose(each)}
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden /> {settingsText[each]}
        </button>
      ))}
      <div className={styles.group}>{settingsText.connections}</div>
      {connections.map((each) => (
        <button
          key={each.id}
          type="button"
          className={section === 'connections' && each.id === connectionId ? styles.on : styles.entry}
          aria-current={each.id === connectionId}
          onClick={() => choose('connections', each.id)}
        >
          <Logo size={16} /> <span className={styles.name}>{each.name}</span>
          <UnsavedMark connection={each} />
        </button>
      ))}
      <button
        type="button"
        className={section === 'connections' && connectionId === null ? styles.on : styles.entry}
        onClick={() => choose('connections', null)}
      >
        <Plus size={16} strokeWidth={1.75} aria-hidden /> {settingsText.addConnection}
      </button>
    </>
  );
}

/** Focuses what the settings were opened for: a setting, a missing or refused key, the name of a new connection. */
function focusSetting(page: HTMLElement | null, setting: string | null): boolean {
  if (page !== null && setting !== null) {
    revealSetting(page, setting);
    return true;
  }
  const field = page?.querySelector<HTMLInputElement>('input[data-focus-first]') ?? null;
  field?.focus();
  return field !== null;
}

function UnsavedMark({ connection }: { connection: Connection }): ReactElement | null {
  const unchanged = unchangedFields(connection, null);
  const { fields } = connectionForms.useForm(formOf(connection.id, null), unchanged);
  return isEdited(fields, unchanged) ? <span className={styles.unsaved}>{settingsText.unsaved}</span> : null;
}
