import { useState } from 'react';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { useLeave } from '../data/use-leave.ts';
import { Segmented } from '../design/segmented.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { speedSentence, speedText } from '../messages/sandbox/pane.ts';
import { setTimeScale } from './sandbox-store.ts';
import { timeScaleBounds } from '../../src-preload/sandbox-bounds.ts';
import card from './card.module.css';
import styles from './speed-card.module.css';

/** The speeds that have a button. */
const usualSpeeds = [1, 10, 60, 600] as const;

/** The entered speed, or null if it is invalid. */
export function readSpeed(text: string): number | null {
  const value = Number(text.trim().replace(/x$/i, ''));
  return text.trim() !== '' && Number.isFinite(value) && value >= timeScaleBounds.min && value <= timeScaleBounds.max
    ? value
    : null;
}

/** How fast the sandbox's time runs. */
export function SpeedCard({ sandbox }: { sandbox: SandboxState }) {
  const { timeScale } = sandbox;
  // The current speed is always in the list, even if it is unusual, so that the keyboard can reach one.
  const speeds = [...new Set([...usualSpeeds, timeScale])].sort((one, other) => one - other);
  return (
    <section className={card.card} aria-label={speedText.speed}>
      <div className={card.head}>
        <h3>{speedText.speed}</h3>
      </div>
      <div className={styles.line}>
        <Segmented
          label={speedText.speed}
          value={String(timeScale)}
          options={speeds.map((speed) => ({ value: String(speed), label: `${speed}x` }))}
          onChange={(speed) => void setTimeScale(Number(speed))}
        />
        <OtherSpeed timeScale={timeScale} />
      </div>
      <p className={styles.sentence}>{speedSentence(timeScale)}</p>
    </section>
  );
}

/** Any other speed. It is applied on Enter or when the field loses the focus. */
function OtherSpeed({ timeScale }: { timeScale: number }) {
  const [text, setText] = useState('');
  const [isRefused, setRefused] = useState(false);
  const [formerScale, setFormerScale] = useState(timeScale);
  if (formerScale !== timeScale) {
    setFormerScale(timeScale);
    setText('');
    setRefused(false);
  }
  const take = (): void => {
    const speed = readSpeed(text);
    setRefused(text.trim() !== '' && speed === null);
    if (speed !== null && speed !== timeScale) void setTimeScale(speed);
  };
  useLeave(take);
  return (
    <TextField
      aria-label={speedText.otherLabel}
      size="sm"
      className={styles.other}
      placeholder={speedText.other}
      inputMode="decimal"
      value={text}
      problem={isRefused ? speedText.bounds : null}
      trailing={<span className="t3">x</span>}
      onChange={setText}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
      }}
    />
  );
}
