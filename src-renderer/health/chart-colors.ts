import { useSyncExternalStore } from 'react';

/** The status colours of the current theme, for a chart. */
export interface ChartColors {
  axis: string;
  grid: string;
  base: string;
  gap: string;
  ground: string;
  queue: string;
  run: string;
  idle: string;
  idleArea: string;
  timeout: string;
  fail: string;
  font: string;
}

/** Reads the colours from the document, because a canvas cannot use CSS variables. */
export function readChartColors(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    axis: token('--chart-axis'),
    grid: token('--chart-grid'),
    base: token('--line-2'),
    gap: token('--line-2'),
    ground: token('--bg-raised'),
    queue: token('--queue'),
    run: token('--run'),
    idle: token('--chart-idle'),
    idleArea: token('--fill-3'),
    timeout: token('--timeout'),
    fail: token('--fail'),
    font: `11px ${token('--font-ui')}`,
  };
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** The current theme. Charts are drawn again when it changes. */
export function useThemeName(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset['theme'] ?? '');
}

/** A `#rrggbb` colour with an opacity of 0 to 1. */
export function withOpacity(color: string, opacity: number): string {
  const value = Number.parseInt(color.slice(1), 16);
  return `rgba(${(value >> 16) & 255}, ${(value >> 8) & 255}, ${value & 255}, ${opacity})`;
}

/**
 * A diagonal hatch as in the design's charts. `tilePx` is the distance between its lines in CSS pixels; `ground` is the
 * colour beneath them.
 */
export function hatch(line: string, ground: string | null, tilePx: number, linePx: number): CanvasPattern | string {
  const ratio = devicePixelRatio;
  const tile = document.createElement('canvas');
  tile.width = Math.round(tilePx * ratio);
  tile.height = tile.width;
  const context = tile.getContext('2d');
  if (context === null) return ground ?? line;
  if (ground !== null) {
    context.fillStyle = ground;
    context.fillRect(0, 0, tile.width, tile.height);
  }
  context.fillStyle = line;
  context.fillRect(0, 0, linePx * ratio, tile.height);
  const pattern = context.createPattern(tile, 'repeat');
  pattern?.setTransform(new DOMMatrix().rotate(35));
  return pattern ?? ground ?? line;
}
