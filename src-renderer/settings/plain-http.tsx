import { LockOpen } from 'lucide-react';
import type { ReactElement } from 'react';
import type { PlainHttp } from '../../src-preload/connection.ts';
import { Callout } from '../design/callout.tsx';
import { Checkbox } from '../design/form/choice.tsx';
import { plainHttpText } from '../messages/settings/connection.tsx';
import styles from './plain-http.module.css';

export interface PlainHttpQuestionsProps {
  places: readonly PlainHttp[];
  /** Origins that the user agreed to in the form. */
  agreed: readonly string[];
  onChange: (agreed: string[]) => void;
  /** Why the form was not saved, if it was because of this. */
  problem: string | null;
}

/** Asks for consent to each address that is reached over http:// on another machine (ruling 44). */
export function PlainHttpQuestions(props: PlainHttpQuestionsProps): ReactElement | null {
  const { places, agreed, onChange, problem } = props;
  if (places.length === 0)
    return problem === null ? null : (
      <p className={styles.problem} role="alert">
        {problem}
      </p>
    );
  const open = places.find(({ origin }) => !agreed.includes(origin));
  return (
    <>
      {places.map(({ origin, host, carries }) => (
        <Callout
          key={origin}
          tone="warning"
          icon={<LockOpen size={16} strokeWidth={1.75} aria-hidden />}
          title={plainHttpText.title(host)}
        >
          {plainHttpText.warning(carries, <span className={styles.host}>{host}</span>)}
          <div className={styles.answer}>
            <Checkbox
              label={plainHttpText.agree(host)}
              isOn={agreed.includes(origin)}
              onChange={(isOn) => onChange(isOn ? [...agreed, origin] : agreed.filter((each) => each !== origin))}
            />
          </div>
          {problem !== null && origin === open?.origin ? (
            <p className={styles.problem} role="alert">
              {plainHttpText.notAgreed}
            </p>
          ) : null}
        </Callout>
      ))}
    </>
  );
}
