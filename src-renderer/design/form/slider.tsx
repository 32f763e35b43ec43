import type { ComponentPropsWithRef, CSSProperties } from 'react';
import { classes } from '../class-names.ts';
import styles from './slider.module.css';

interface SliderProps extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'value' | 'min' | 'max' | 'onChange'> {
  min: number;
  max: number;
  value: number;
  onChange: (value: number) => void;
}

/** Chooses a number from `min` to `max`, all in the same unit, with the pointer or the arrow keys. */
export function Slider({ min, max, value, onChange, className, ...rest }: SliderProps) {
  const share = max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0;
  // React's type of styles has no custom properties.
  const style: CSSProperties & Record<'--share', number> = { '--share': share };
  return (
    <input
      {...rest}
      type="range"
      className={classes(styles.slider, className)}
      style={style}
      min={min}
      max={max}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    />
  );
}
