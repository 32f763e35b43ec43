import { Search } from 'lucide-react';
import type { KeyboardEvent, ReactElement } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { useSession } from '../data/session-store.ts';
import { Logo } from '../design/logo.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { settingsText } from '../messages/settings/preferences.ts';
import { settingsSearchText } from '../messages/settings/search.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { findSettings, settingPlaces } from './find-settings.ts';
import styles from './settings-dialog.module.css';

interface SearchFieldProps {
  query: string;
  onQuery: (query: string) => void;
}

/** The field above the pages. Enter opens the first setting found, Escape clears it. */
export function SettingsSearchField({ query, onQuery }: SearchFieldProps): ReactElement {
  const connections = useSession((state) => state.connections);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && query !== '') onQuery('');
    else if (event.key === 'Enter') found(query, connections)[0]?.open();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <TextField
      className={styles.search}
      size="sm"
      icon={<Search size={14} strokeWidth={1.75} aria-hidden />}
      aria-label={settingsSearchText.label}
      placeholder={settingsSearchText.label}
      value={query}
      onChange={onQuery}
      onKeyDown={onKeyDown}
    />
  );
}

/** The settings and connections that a query finds, instead of the pages. */
export function FoundSettings({ query }: { query: string }): ReactElement {
  const connections = useSession((state) => state.connections);
  const lines = found(query, connections);
  if (lines.length === 0)
    return (
      <p className={styles.none} role="status">
        {settingsSearchText.none(query.trim())}
      </p>
    );
  return (
    <ul className={styles.found} aria-label={settingsSearchText.results}>
      {lines.map(({ id, name, page, icon, open }) => (
        <li key={id}>
          <button type="button" className={styles.result} onClick={open}>
            {icon}
            <span className={styles.resultName}>{name}</span>
            <span className={styles.resultPage}>{page}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface FoundLine {
  id: string;
  name: string;
  page: string;
  icon?: ReactElement;
  open: () => void;
}

function found(query: string, connections: readonly Connection[]): FoundLine[] {
  const { choose, openSetting } = useSettingsDialog.getState();
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const ofConnections = connections
    .filter(({ name, baseUrl }) => `${name} ${baseUrl}`.toLowerCase().includes(wanted))
    .map((connection) => ({
      id: connection.id,
      name: connection.name,
      page: settingsText.connections,
      icon: <Logo size={14} />,
      open: () => choose('connections', connection.id),
    }));
  const ofPages = findSettings(settingPlaces, query).map(({ section, page, name }) => ({
    id: `${section}.${name}`,
    name,
    page,
    open: () => openSetting(section, name),
  }));
  return [...ofPages, ...ofConnections];
}
