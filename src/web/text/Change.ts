/** How much more a number is than the one before, in percent of that one's size: what is lost less of than before has grown. Null where nothing can be told. */
export const changeOf = (now: number | null, before: number | null | undefined): number | null =>
  now === null || before === null || before === undefined || before === 0
    ? null
    : ((now - before) / Math.abs(before)) * 100
