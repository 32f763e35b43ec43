import { Search, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ComponentProps, type KeyboardEvent, type RefObject } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { classes } from '../design/class-names.ts';
import { Button } from '../design/button.tsx';
import { Kbd } from '../design/keyboard/kbd.tsx';
import { pressBeside } from '../design/keyboard/press-beside.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { useBatches } from '../batches/batches.ts';
import { useCall } from '../data/calls.ts';
import { tokenValueText, useCauseNames, fieldBeingTyped, suggest, type Suggestion } from './filter-suggestions.ts';
import { useKnownTags } from '../data/known-tags.ts';
import { mendedToken } from '../data/mend-token.ts';
import { useListTotal } from '../data/job-counts.ts';
import { useCurrentConnection } from '../data/session-store.ts';
import {
  addTokens,
  mendedQuery,
  parseQuery,
  queryProblem,
  searchedText,
  tokenName,
  tokenText,
  type FilterToken,
} from '../data/parse-filter.ts';
import { useFilterBoxFilled } from './fill-filter-box.ts';
import { useJobs } from '../data/jobs-store.ts';
import { createSearchWhileTyping, searchedFor } from './search-while-typing.ts';
import { visibleKeys } from './visible-keys.ts';
import { countText } from '../messages/common.ts';
import { filterBoxText, jobsWithTag } from '../messages/jobs/filter.ts';
import { totalCount } from '../messages/jobs/list.ts';
import styles from './filter-box.module.css';

/** The filter: tokens (`status:failed`) as chips, then free text. `/` focuses it, Escape empties it. */
export function FilterBox() {
  const query = useJobs((state) => state.query);
  const [isFocused, setFocused] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const { typed, isEntered, setQuery, apply, change: changeText } = useTypedFilter();
  const menu = useSuggestionMenu(typed, isFocused);
  const change = (text: string, isFinal: boolean): void => {
    menu.restart();
    changeText(text, isFinal);
  };
  useFilterBoxFilled((words) => {
    change(typed.trim() === '' ? words : `${typed.trimEnd()} ${words}`, false);
    // The menu that requested it returns the focus first.
    requestAnimationFrame(() => input.current?.focus());
  });

  const take = (index: number): void => {
    const suggestion = menu.suggestions[index];
    if (suggestion !== undefined) change(suggestion.completed, suggestion.isWhole);
    input.current?.focus();
  };
  /** Changes the query and returns to the box. */
  const edit = (tokens: readonly FilterToken[], text: string): void => {
    setQuery(tokens, text);
    input.current?.focus();
  };
  const remove = (token: FilterToken): void =>
    edit(
      query.tokens.filter((one) => one !== token),
      query.text,
    );
  const leave = (): void => {
    if (menu.isOpen) menu.dismiss();
    else if (typed !== '' || query.tokens.length > 0) setQuery([], '');
    else input.current?.blur();
  };
  const acts: Readonly<Record<KeyMeaning, () => void>> = {
    next: () => menu.move(1),
    previous: () => menu.move(-1),
    take: () => take(menu.at),
    'to-results': () => goToList({ isFirstShown: true }),
    'to-list': () => goToList({ isFirstShown: false }),
    search: () => change(typed, true),
    'remove-last': () => setQuery(query.tokens.slice(0, -1), ''),
    leave,
  };
  const onKey = (event: KeyboardEvent): void => {
    const hasChipBefore = typed === '' && query.tokens.length > 0;
    onBoxKey(event, { isOpen: menu.isOpen, isSearched: typed === query.text, hasChipBefore }, acts);
  };

  const isFiltered = query.tokens.length > 0 || query.text !== '';
  return (
    <div className={styles.wrap}>
      <div
        className={classes(styles.box, isFocused && styles.focused)}
        onMouseDown={(event) => pressBeside(event, input.current)}
      >
        <Search />
        {query.tokens.map((token) => (
          <Token key={tokenText(token)} token={token} onRemove={() => remove(token)} />
        ))}
        <span className={classes(styles.rest, typed === '' && isFiltered && styles.blank)}>
          <QueryInput
            input={input}
            typed={typed}
            isFiltered={isFiltered}
            isOpen={menu.isOpen}
            onChange={(text) => change(text, false)}
            onKeyDown={onKey}
            onFocus={() => {
              setFocused(true);
              menu.offer();
            }}
            onBlur={() => setFocused(false)}
          />
          {isFiltered && <Total />}
          {isFiltered || typed !== '' ? (
            <ClearButton onClear={() => edit([], '')} />
          ) : (
            !isFocused && <Kbd keys={['/']} />
          )}
        </span>
      </div>
      {!menu.isOpen && (
        <Problem
          typed={typed}
          isEntered={isEntered}
          onMend={(token, rest) => {
            apply(addTokens(query.tokens, [token]), rest, false);
            input.current?.focus();
          }}
        />
      )}
      {menu.isOpen && <Suggestions suggestions={menu.suggestions} at={menu.at} onPoint={menu.choose} onTake={take} />}
    </div>
  );
}

interface QueryInputProps extends Pick<ComponentProps<'input'>, 'onKeyDown' | 'onFocus' | 'onBlur'> {
  input: RefObject<HTMLInputElement | null>;
  typed: string;
  isFiltered: boolean;
  /** The suggestions are shown. */
  isOpen: boolean;
  onChange: (text: string) => void;
}

/** The field behind the chips. */
function QueryInput({ input, typed, isFiltered, isOpen, onChange, ...events }: QueryInputProps) {
  return (
    <input
      ref={input}
      className={styles.input}
      type="text"
      role="combobox"
      aria-label={filterBoxText.label}
      aria-expanded={isOpen}
      aria-controls="filter-suggestions"
      aria-autocomplete="list"
      aria-keyshortcuts="/"
      autoComplete="off"
      spellCheck={false}
      placeholder={isFiltered ? '' : filterBoxText.placeholder}
      value={typed}
      data-filter-box
      onChange={(event) => onChange(event.target.value)}
      {...events}
    />
  );
}

type KeyMeaning = 'next' | 'previous' | 'take' | 'to-results' | 'to-list' | 'search' | 'remove-last' | 'leave';

interface BoxState {
  /** The menu of suggestions is shown. */
  isOpen: boolean;
  /** The results are for the typed text already. */
  isSearched: boolean;
  /** The cursor is right after a chip. */
  hasChipBefore: boolean;
}

/** Does what a key in the box means. */
function onBoxKey(event: KeyboardEvent, state: BoxState, acts: Readonly<Record<KeyMeaning, () => void>>): void {
  const meant = meaningOf(event, state);
  if (meant === null) return;
  if (meant === 'leave') event.stopPropagation();
  if (meant !== 'search' && meant !== 'remove-last') event.preventDefault();
  acts[meant]();
}

/** What a key in the box means. Null: what it means in any field. */
function meaningOf(
  { key, shiftKey }: KeyboardEvent,
  { isOpen, isSearched, hasChipBefore }: BoxState,
): KeyMeaning | null {
  if (key === 'Escape') return 'leave';
  if (isOpen && key === 'ArrowUp') return 'previous';
  if (key === 'ArrowDown') return isOpen ? 'next' : 'to-list';
  if (isOpen && (key === 'Enter' || (key === 'Tab' && !shiftKey))) return 'take';
  if (key === 'Enter') return isSearched ? 'to-results' : 'search';
  return key === 'Backspace' && hasChipBefore ? 'remove-last' : null;
}

interface SuggestionMenu {
  suggestions: readonly Suggestion[];
  isOpen: boolean;
  /** The chosen one. */
  at: number;
  choose: (at: number) => void;
  move: (step: 1 | -1) => void;
  /** Called when the text changes: the menu opens with its first entry. */
  restart: () => void;
  dismiss: () => void;
  /** Opens it again. */
  offer: () => void;
}

/** The completions under the box. */
function useSuggestionMenu(typed: string, isFocused: boolean): SuggestionMenu {
  const suggestions = useSuggestions(typed);
  const [chosen, setChosen] = useState(0);
  const [isDismissed, setDismissed] = useState(false);
  const at = Math.min(chosen, suggestions.length - 1);
  return {
    suggestions,
    isOpen: isFocused && !isDismissed && suggestions.length > 0,
    at,
    choose: setChosen,
    move: (step) => setChosen((at + step + suggestions.length) % suggestions.length),
    restart: () => {
      setChosen(0);
      setDismissed(false);
    },
    dismiss: () => setDismissed(true),
    offer: () => setDismissed(false),
  };
}

interface TypedFilter {
  typed: string;
  /** The text is complete: it was entered, or comes from elsewhere, so that its last token is finished. */
  isEntered: boolean;
  /** Searches immediately. */
  setQuery: (tokens: readonly FilterToken[], text: string) => void;
  /** As `setQuery`, for a typed text: its invalid tokens stay in the box and are not searched for. */
  apply: (tokens: readonly FilterToken[], text: string, isFinal: boolean) => void;
  /** Takes the typed text. Whole tokens and words are applied immediately, an unfinished token is not. */
  change: (text: string, isFinal: boolean) => void;
}

/** The text in the filter box: what the user types, and changes of the query from elsewhere. */
function useTypedFilter(): TypedFilter {
  const query = useJobs((state) => state.query);
  const place = useJobs((state) => state.place);
  const [typed, setTyped] = useState(query.text);
  const [isFinished, setFinished] = useState(false);
  const [search] = useState(() => createSearchWhileTyping((...wanted) => useJobs.getState().searchFor(...wanted)));

  // The query also changes elsewhere: a removed chip, "Loosen one of them", another view.
  const [formerText, setFormerText] = useState(query.text);
  if (formerText !== query.text) {
    setFormerText(query.text);
    const { text, orElse } = searchedFor(typed);
    if (![typed, text, orElse].some((own) => own.trim() === query.text.trim())) setTyped(query.text);
  }
  // Another place has a filter of its own: what was not searched for yet stays behind.
  const [formerPlace, setFormerPlace] = useState(place);
  if (formerPlace !== place) {
    setFormerPlace(place);
    setTyped(query.text);
  }
  useEffect(() => search.cancel, [search, place]);

  const setQuery = (tokens: readonly FilterToken[], text: string): void => {
    search.cancel();
    setTyped(text);
    setFinished(false);
    useJobs.getState().setQuery({ tokens, text });
  };
  const apply = (tokens: readonly FilterToken[], text: string, isFinal: boolean): void => {
    setQuery(tokens, searchedText(text, isFinal));
    setTyped(text);
    setFinished(isFinal);
  };
  const change = (text: string, isFinal: boolean): void => {
    const parsed = parseQuery(text, isFinal);
    if (parsed.tokens.length > 0) return apply(addTokens(query.tokens, parsed.tokens), parsed.text, isFinal);
    if (isFinal) return apply(query.tokens, text, true);
    setTyped(text);
    setFinished(false);
    search.type(text);
  };
  const isEntered = typed !== '' && (isFinished || typed === query.text);
  return { typed, isEntered, setQuery, apply, change };
}

function ClearButton({ onClear }: { onClear: () => void }) {
  return (
    <button type="button" className={styles.clear} aria-label={filterBoxText.clear} onClick={onClear}>
      <X size={14} />
    </button>
  );
}

interface ProblemProps extends Pick<TypedFilter, 'typed' | 'isEntered'> {
  /** Called with what was probably meant by an invalid token, and the text without that. */
  onMend: (token: FilterToken, rest: string) => void;
}

/** Why a token is invalid, if one is, and a button that writes what was probably meant, or else how to write it. */
function Problem({ typed, isEntered, onMend }: ProblemProps) {
  const problem = queryProblem(typed, isEntered);
  if (problem === null) return null;
  const mended = mendedQuery(typed, isEntered, mendedToken);
  return (
    <div className={styles.problem}>
      <StatusGlyph kind="fail" size={12} />
      <span role="status">{mended === null ? `${problem.text} ${problem.form}` : problem.text}</span>
      {mended !== null && (
        <Button
          size="sm"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onMend(mended.token, mended.typed)}
        >
          {filterBoxText.use(tokenText(mended.token))}
        </Button>
      )}
    </div>
  );
}

/** How many jobs match. */
function Total() {
  const total = useListTotal();
  const isReady = useJobs((state) => state.status === 'ready');
  return isReady ? <span className={styles.total}>{totalCount(total)}</span> : null;
}

function goToList({ isFirstShown }: { isFirstShown: boolean }): void {
  document.querySelector<HTMLElement>('[data-job-list]')?.focus();
  const [first] = visibleKeys();
  if (isFirstShown && first !== undefined) useJobs.getState().select(first);
}

/** Completions of the typed text: endpoints by name, and the tags and labels in use. */
function useSuggestions(typed: string): Suggestion[] {
  const connection = useCurrentConnection();
  const batches = useBatches();
  const field = fieldBeingTyped(typed);
  const tags = useKnownTags(field === 'tag' || field === '-tag');
  const { data: labels } = useCall('job:labels', field === 'label' ? undefined : null);
  const causes = useCauseNames(field === 'cause');
  return useMemo(
    () =>
      suggest(typed, {
        endpoints: (connection?.endpoints ?? []).map((endpoint) => ({
          value: endpoint.label === '' ? endpoint.id : endpoint.label,
          note: endpointName(endpoint) === endpoint.id ? '' : endpoint.id,
        })),
        batches: batches.filter(({ name }) => name !== '').map(({ name }) => ({ value: name, note: '' })),
        tags: tags.map(({ tag, jobs }) => ({ value: tag, note: jobsWithTag(jobs) })),
        labels: (labels ?? []).map((label) => ({ value: label, note: '' })),
        causes: causes.map(({ id, message, jobs }) => ({
          value: String(id),
          name: message,
          note: countText.jobs(jobs),
        })),
      }),
    [typed, connection, batches, tags, labels, causes],
  );
}

interface SuggestionsProps {
  suggestions: readonly Suggestion[];
  at: number;
  onPoint: (index: number) => void;
  onTake: (index: number) => void;
}

function Suggestions({ suggestions, at, onPoint, onTake }: SuggestionsProps) {
  return (
    <ul id="filter-suggestions" className={styles.popup} role="listbox" aria-label={filterBoxText.suggestions}>
      {suggestions.map((suggestion, index) => (
        <li
          key={suggestion.label}
          role="option"
          aria-selected={index === at}
          className={classes(styles.option, index === at && styles.chosen)}
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(index);
          }}
          onMouseEnter={() => onPoint(index)}
        >
          <span>{suggestion.label}</span>
          <span className={styles.note}>{suggestion.note}</span>
        </li>
      ))}
    </ul>
  );
}

/** A filter as a chip. Without `onRemove` it cannot be removed. */
export function Token({ token, onRemove }: { token: FilterToken; onRemove?: () => void }) {
  const value = tokenValueText(token, useCauseNames(token.field === 'cause'));
  return (
    <span className={styles.token} title={`${tokenName(token)}${value}`}>
      <span className={styles.field}>{tokenName(token)}</span>
      <span className={styles.value}>{value}</span>
      {onRemove !== undefined && (
        <button type="button" aria-label={filterBoxText.remove(tokenText(token))} onClick={onRemove}>
          <X size={12} />
        </button>
      )}
    </span>
  );
}
