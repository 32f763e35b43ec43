import { Search, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { classes } from '../design/class-names.ts';
import { formatCount } from '../design/format.ts';
import { Kbd } from '../design/kbd.tsx';
import { useCurrentConnection } from '../data/session-store.ts';
import { addTokens, parseQuery } from '../data/filter-query.ts';
import type { FilterToken } from '../data/filter-query.ts';
import { suggest } from './filter-suggestions.ts';
import { useJobs } from '../data/jobs-store.ts';
import { visibleKeys } from './visible-keys.ts';
import styles from './filter-box.module.css';

const typingPauseMs = 160;

/** The filter: tokens (`status:failed`) as chips, then free text. `/` comes here, Escape empties it. */
export function FilterBox() {
  const query = useJobs((state) => state.query);
  const total = useJobs((state) => state.total);
  const isReady = useJobs((state) => state.status === 'ready');
  const connection = useCurrentConnection();
  const [typed, setTyped] = useState(query.text);
  const [isFocused, setFocused] = useState(false);
  const [chosen, setChosen] = useState(0);
  const [isDismissed, setDismissed] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const suggestions = useMemo(
    () =>
      suggest(
        typed,
        (connection?.endpoints ?? []).map((endpoint) => ({
          value: endpoint.label === '' ? endpoint.id : endpoint.label,
          note: endpointName(endpoint) === endpoint.id ? '' : endpoint.id,
        })),
      ),
    [typed, connection],
  );
  const isOpen = isFocused && !isDismissed && suggestions.length > 0;
  const at = Math.min(chosen, suggestions.length - 1);

  // The query also changes from outside: a chip taken away, "Loosen one of them", a change of view.
  useEffect(() => setTyped((now) => (now.trim() === query.text.trim() ? now : query.text)), [query.text]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const setQuery = (tokens: readonly FilterToken[], text: string): void => {
    clearTimeout(timer.current);
    setTyped(text);
    useJobs.getState().setQuery({ tokens, text });
  };
  const change = (text: string, isFinal: boolean): void => {
    setChosen(0);
    setDismissed(false);
    const parsed = parseQuery(text, isFinal);
    if (parsed.tokens.length > 0) {
      setQuery(addTokens(query.tokens, parsed.tokens), parsed.text);
      return;
    }
    setTyped(text);
    clearTimeout(timer.current);
    const ask = (): void => useJobs.getState().setQuery({ tokens: query.tokens, text });
    if (isFinal) ask();
    else timer.current = setTimeout(ask, typingPauseMs);
  };
  const take = (index: number): void => {
    const suggestion = suggestions[index];
    if (suggestion !== undefined) change(suggestion.completed, suggestion.isWhole);
    input.current?.focus();
  };

  const onKey = (event: KeyboardEvent): void => {
    if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      setChosen((at + (event.key === 'ArrowDown' ? 1 : -1) + suggestions.length) % suggestions.length);
    } else if (isOpen && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault();
      take(at);
    } else if (event.key === 'Enter' && typed === query.text) {
      // Asked already: go to what was found.
      event.preventDefault();
      document.querySelector<HTMLElement>('[data-job-list]')?.focus();
      const [first] = visibleKeys();
      if (first !== undefined) useJobs.getState().select(first);
    } else if (event.key === 'Enter') {
      change(typed, true);
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      document.querySelector<HTMLElement>('[data-job-list]')?.focus();
    } else if (event.key === 'Backspace' && typed === '' && query.tokens.length > 0) {
      setQuery(query.tokens.slice(0, -1), '');
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      if (isOpen) setDismissed(true);
      else if (typed !== '' || query.tokens.length > 0) setQuery([], '');
      else input.current?.blur();
    }
  };

  const isFiltered = query.tokens.length > 0 || query.text !== '';
  return (
    <div className={styles.wrap}>
      <div
        className={classes(styles.box, isFocused && styles.focused)}
        onMouseDown={(event) => {
          if (event.target === event.currentTarget) {
            event.preventDefault();
            input.current?.focus();
          }
        }}
      >
        <Search />
        {query.tokens.map((token) => (
          <Token
            key={`${token.field}:${token.value}`}
            token={token}
            onRemove={() => {
              setQuery(
                query.tokens.filter((one) => one !== token),
                query.text,
              );
              input.current?.focus();
            }}
          />
        ))}
        <input
          ref={input}
          className={styles.input}
          type="text"
          role="combobox"
          aria-label="Search jobs"
          aria-expanded={isOpen}
          aria-controls="filter-suggestions"
          aria-autocomplete="list"
          aria-keyshortcuts="/"
          autoComplete="off"
          spellCheck={false}
          placeholder={isFiltered ? '' : 'text, status: endpoint: tag:'}
          value={typed}
          data-filter-box
          onChange={(event) => change(event.target.value, false)}
          onKeyDown={onKey}
          onFocus={() => {
            setFocused(true);
            setDismissed(false);
          }}
          onBlur={() => setFocused(false)}
        />
        {isFiltered && isReady ? (
          <span className={styles.total}>{formatCount(total)}</span>
        ) : (
          !isFocused && <Kbd keys={['/']} />
        )}
      </div>
      {isOpen && (
        <ul id="filter-suggestions" className={styles.popup} role="listbox" aria-label="Suggestions">
          {suggestions.map((suggestion, index) => (
            <li
              key={suggestion.label}
              role="option"
              aria-selected={index === at}
              className={classes(styles.option, index === at && styles.chosen)}
              onMouseDown={(event) => {
                event.preventDefault();
                take(index);
              }}
              onMouseEnter={() => setChosen(index)}
            >
              <span>{suggestion.label}</span>
              <span className={styles.note}>{suggestion.note}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A filter as a chip. Without `onRemove` it is only shown. */
export function Token({ token, onRemove }: { token: FilterToken; onRemove?: () => void }) {
  return (
    <span className={styles.token}>
      <span className={styles.field}>{token.field}:</span>
      <span className={styles.value}>{token.value}</span>
      {onRemove !== undefined && (
        <button type="button" aria-label={`Remove ${token.field}:${token.value}`} onClick={onRemove}>
          <X size={12} />
        </button>
      )}
    </span>
  );
}
