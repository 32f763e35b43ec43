import { useEffect, useMemo, useState } from 'react';
import { call } from '../bridge.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { Button } from '../design/button.tsx';
import { formatCountOf } from '../design/format.ts';
import { currentConnection, useSession } from '../data/session-store.ts';
import { Token } from './filter-box.tsx';
import { anyConnection, isOfAllConnections, loosenings, toJobFilter } from '../data/filter-query.ts';
import { useJobs } from '../data/jobs-store.ts';
import styles from './no-matches.module.css';

const numbers = ['nothing', 'it', 'both', 'all three', 'all four', 'all five'];

/** A filter too narrow: each part with the count one gets without it. */
export function NoMatches() {
  const query = useJobs((state) => state.query);
  const place = useJobs((state) => state.place);
  const ways = useMemo(() => loosenings(query), [query]);
  const [counts, setCounts] = useState<readonly (number | null)[]>([]);

  useEffect(() => {
    let isCurrent = true;
    const connection = currentConnection(useSession.getState());
    void Promise.all(
      ways.map((way) =>
        call('job:list', { filter: toJobFilter(place, way.query, connection, Date.now()), beforeKey: null, limit: 1 }),
      ),
    ).then((pages) => {
      if (isCurrent) setCounts(pages.map((page) => (page.ok ? page.value.total : null)));
    });
    return () => {
      isCurrent = false;
    };
  }, [ways, place]);

  const { setQuery } = useJobs.getState();
  const searchAll = (): void => setQuery({ ...query, tokens: [...query.tokens, anyConnection] });
  if (ways.length === 1) {
    return (
      <EmptyState
        art={null}
        title="Nothing matches"
        text={
          isOfAllConnections(query)
            ? 'No saved job has this in its title, id, input, output or error.'
            : 'No saved job of this connection has this in its title, id, input, output or error.'
        }
        actions={
          <>
            {!isOfAllConnections(query) && (
              <Button size="lg" onClick={searchAll}>
                Search all connections
              </Button>
            )}
            <Button size="lg" onClick={() => setQuery({ tokens: [], text: '' })}>
              Clear filter
            </Button>
          </>
        }
      />
    );
  }
  return (
    <EmptyState
      art={null}
      title={`Nothing matches ${numbers[ways.length] ?? `all ${ways.length}`}`}
      text="Loosen one of them:"
    >
      <ul className={styles.ways}>
        {ways.map((way, index) => {
          const count = counts[index];
          return (
            <li key={way.token === null ? 'text' : `${way.token.field}:${way.token.value}`}>
              <button type="button" className={styles.way} onClick={() => setQuery(way.query)}>
                <span>without</span>
                {way.token === null ? <span className={styles.text}>{way.text}</span> : <Token token={way.token} />}
                <span className={styles.count}>
                  {count === undefined || count === null ? '' : formatCountOf(count, 'job')}
                </span>
              </button>
            </li>
          );
        })}
        {!isOfAllConnections(query) && (
          <li>
            <button type="button" className={styles.way} onClick={searchAll}>
              <span>in all</span>
              <Token token={anyConnection} />
            </button>
          </li>
        )}
      </ul>
    </EmptyState>
  );
}
