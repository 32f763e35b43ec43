import { Bell, HardDrive, Info, Network, Plus, SlidersHorizontal, X } from 'lucide-react';
import { useRef, type ReactElement } from 'react';
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
import styles from './settings-dialog.module.css';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';

/** Connections with their keys, and the preferences. */
export function SettingsDialog(): ReactElement {
  const { isOpen, section, connectionId, begun, close, choose } = useSettingsDialog();
  const connections = useSession((state) => state.connections);
  const connection = connections.find((each) => each.id === connectionId) ?? null;
  const page = useRef<HTMLDivElement>(null);
  return (
    <Sheet
      label={settingsText.title}
      isOpen={isOpen}
      onClose={close}
      width={860}
      height={880}
      takeFocus={() => focusField(page.current)}
    >
      <div className={styles.frame}>
        <nav className={styles.rail} aria-label={settingsText.title}>
          <h2 className={styles.title}>{settingsText.title}</h2>
          <button
            type="button"
            className={section === 'preferences' ? styles.on : styles.entry}
            aria-current={section === 'preferences'}
            onClick={() => choose('preferences')}
          >
            <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden /> {settingsText.preferences}
          </button>
          <button
            type="button"
            className={section === 'notifications' ? styles.on : styles.entry}
            aria-current={section === 'notifications'}
            onClick={() => choose('notifications')}
          >
            <Bell size={16} strokeWidth={1.75} aria-hidden /> {settingsText.notifications}
          </button>
          <button
            type="button"
            className={section === 'network' ? styles.on : styles.entry}
            aria-current={section === 'network'}
            onClick={() => choose('network')}
          >
            <Network size={16} strokeWidth={1.75} aria-hidden /> {settingsText.network}
          </button>
          <button
            type="button"
            className={section === 'storage' ? styles.on : styles.entry}
            aria-current={section === 'storage'}
            onClick={() => choose('storage')}
          >
            <HardDrive size={16} strokeWidth={1.75} aria-hidden /> {settingsText.storage}
          </button>
          <button
            type="button"
            className={section === 'about' ? styles.on : styles.entry}
            aria-current={section === 'about'}
            onClick={() => choose('about')}
          >
            <Info size={16} strokeWidth={1.75} aria-hidden /> {settingsText.about}
          </button>
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

/** Focuses the field that the settings were opened for: a missing or refused key, or the name of a new connection. */
function focusField(page: HTMLElement | null): boolean {
  const field = page?.querySelector<HTMLInputElement>('input[data-focus-first]') ?? null;
  field?.focus();
  return field !== null;
}

function UnsavedMark({ connection }: { connection: Connection }): ReactElement | null {
  const unchanged = unchangedFields(connection, null);
  const { fields } = connectionForms.useForm(formOf(connection.id, null), unchanged);
  return isEdited(fields, unchanged) ? <span className={styles.unsaved}>{settingsText.unsaved}</span> : null;
}
