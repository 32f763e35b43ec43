import uPlot from 'uplot';
import { chartText } from '../messages/health/charts.ts';
import { hatch, type ChartColors } from './chart-colors.ts';
import type { Columns } from './columns.ts';
import { paintOf, stacked, type Layer } from './layers.ts';
import { tickText, timeTicks, valueTicks } from '../design/ticks.ts';

/** What a chart shows now. It is changed in place and drawn by `setData`. */
export interface ChartView {
  columns: Columns;
  fromMs: number;
  toMs: number;
  /** A moment to mark in amber. */
  markerMs: number | null;
  /** Whether the last value is current: then it has a dot. */
  isLive: boolean;
  /** The time of the crosshair, or null for none. Epoch milliseconds. */
  atMs: number | null;
}

export interface ChartShape {
  layers: readonly Layer[];
  /** Drawn as a line over the areas. */
  line: Layer | null;
  colors: ChartColors;
  width: number;
  height: number;
  hasTimeAxis: boolean;
  /** Whether gaps have a label. They are hatched in any case. */
  isNamingGaps: boolean;
}

/** Width of the value axis and of the margin on the right, in CSS pixels. */
export const plotLeft = 30;
export const plotRight = 24;
/** Keeps a line at the highest tick from being cut off. */
const headroom = 1.02;

/** The rows of a chart: times, then the areas from the top down, then the line over them. */
export function chartData(columns: Columns, layers: readonly Layer[], line: Layer | null): uPlot.AlignedData {
  return [columns.atMs, ...stacked(columns, layers), ...(line === null ? [] : [columns.values[line.gauge]])];
}

/** A stepped, stacked chart of counts over time. The caller destroys it. */
export function createChart(host: HTMLElement, shape: ChartShape, view: ChartView): uPlot {
  const { layers, line, colors } = shape;
  const steps = uPlot.paths.stepped?.({ align: 1 });
  const paints = [...layers].reverse().map((layer) => paintOf(layer.gauge, colors));
  const gapFill = hatch(colors.gap, null, 6, 1);
  const areas = paints.map((paint, index): uPlot.Series => ({
    stroke: paint.line,
    width: 1.5,
    points: { show: false },
    // All but the lowest area are filled down to the one below, as a band.
    ...(index === paints.length - 1 ? { fill: paint.area } : {}),
    ...(steps === undefined ? {} : { paths: steps }),
  }));
  const over: uPlot.Series[] =
    line === null
      ? []
      : [
          {
            stroke: paintOf(line.gauge, colors).line,
            width: 1.25,
            dash: [3, 3],
            points: { show: false },
            ...(steps === undefined ? {} : { paths: steps }),
          },
        ];
  const axis = { stroke: colors.axis, font: colors.font, ticks: { show: false } };
  const never = (): null => null;

  return new uPlot(
    {
      width: shape.width,
      height: shape.height,
      padding: [8, plotRight, shape.hasTimeAxis ? 0 : 6, 0],
      legend: { show: false },
      series: [{}, ...areas, ...over],
      bands: paints.slice(0, -1).map((paint, index) => ({ series: [index + 1, index + 2], fill: paint.area })),
      scales: {
        x: { time: false, range: () => [view.fromMs, view.toMs] },
        y: { range: (_chart, _min, max) => [0, (valueTicks(max).at(-1) ?? 1) * headroom] },
      },
      axes: [
        {
          ...axis,
          show: shape.hasTimeAxis,
          size: 22,
          gap: 6,
          grid: { show: false },
          splits: (chart) => timeTicks(view.fromMs, view.toMs, Math.max(2, Math.floor(chart.width / 110))),
          values: (_chart, splits) => splits.map((atMs) => tickText(atMs, view.toMs - view.fromMs)),
        },
        {
          ...axis,
          size: plotLeft,
          gap: 8,
          grid: { stroke: colors.grid, width: 1 },
          splits: (_chart, _axis, _min, max) => valueTicks(Math.floor(max)),
          values: (_chart, splits) => splits.map(String),
        },
      ],
      // The pane moves the crosshair, by pointer and by key, in both charts together.
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        bind: {
          mousemove: never,
          mousedown: never,
          mouseup: never,
          click: never,
          dblclick: never,
          mouseleave: never,
          mouseenter: never,
        },
        points: {
          size: 8,
          width: 2,
          fill: colors.ground,
          stroke: (_chart, index) => paints[index - 1]?.line ?? colors.axis,
        },
      },
      hooks: {
        drawClear: [(chart) => drawGaps(chart, view, gapFill, colors, shape.isNamingGaps)],
        draw: [(chart) => drawMarks(chart, view, paints, colors), (chart) => placeCrosshair(chart, view)],
      },
    },
    chartData(view.columns, layers, line),
    host,
  );
}

/**
 * Places the crosshair as the view says. A chart knows its scales only after a drawing, so this is also called after
 * each one.
 */
export function placeCrosshair(chart: uPlot, { atMs }: ChartView): void {
  chart.setCursor(atMs === null ? { left: -10, top: -10 } : { left: chart.valToPos(atMs, 'x'), top: 1 }, false);
}

/** Hatches the gaps, and labels them if there is room. */
function drawGaps(
  chart: uPlot,
  view: ChartView,
  fill: string | CanvasPattern,
  colors: ChartColors,
  isNaming: boolean,
): void {
  const { ctx } = chart;
  const { top, height } = chart.bbox;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = colors.font.replace(/^11px/, `${11 * ratio}px`);
  ctx.textAlign = 'center';
  for (const gap of view.columns.gaps) {
    const left = chart.valToPos(gap.fromMs, 'x', true);
    const right = chart.valToPos(gap.toMs, 'x', true);
    ctx.fillStyle = fill;
    ctx.fillRect(left, top, right - left, height);
    const text = !isNaming
      ? undefined
      : chartText.gap.find((one) => ctx.measureText(one).width + 12 * ratio < right - left);
    if (text === undefined) continue;
    const half = ctx.measureText(text).width / 2 + 5 * ratio;
    const middle = (left + right) / 2;
    ctx.fillStyle = colors.ground;
    ctx.fillRect(middle - half, top + 8 * ratio, half * 2, 18 * ratio);
    ctx.fillStyle = colors.axis;
    ctx.fillText(text, middle, top + 21 * ratio);
  }
  ctx.restore();
}

/** The ground line, the marked moment, and dots on current values. */
function drawMarks(chart: uPlot, view: ChartView, paints: readonly { line: string }[], colors: ChartColors): void {
  const { ctx } = chart;
  const { left, top, width, height } = chart.bbox;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.lineWidth = ratio;
  ctx.strokeStyle = colors.base;
  ctx.beginPath();
  ctx.moveTo(left, top + height - 0.5 * ratio);
  ctx.lineTo(left + width, top + height - 0.5 * ratio);
  ctx.stroke();
  if (view.markerMs !== null && view.markerMs > view.fromMs) {
    const x = Math.round(chart.valToPos(view.markerMs, 'x', true));
    ctx.strokeStyle = colors.timeout;
    ctx.setLineDash([2 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
    ctx.setLineDash([]);
  }
  if (view.isLive) {
    const lastRow = view.columns.atMs.length - 1;
    paints.forEach(({ line }, index) => {
      const value = chart.data[index + 1]?.[lastRow];
      const below = chart.data[index + 2]?.[lastRow];
      // If areas end at the same height, the lower one has the dot.
      if (value == null || (index < paints.length - 1 && value === below)) return;
      ctx.fillStyle = line;
      ctx.beginPath();
      ctx.arc(left + width, chart.valToPos(value, 'y', true), 3 * ratio, 0, 2 * Math.PI);
      ctx.fill();
    });
  }
  ctx.restore();
}
