/** Strokes on a grid of 24. */
export const iconPaths = {
  chart: "M4 4v16h16M8 15l4-5 3 3 5-7",
  funnel: "M4 5h16l-6 8v6l-4-2v-4z",
  retention: "M4 6h16M4 12h11M4 18h6",
  checklist: "M4 6.5l1.5 1.5L8 5M4 13l1.5 1.5L8 11.5M4 19.5h.01M11 7h9M11 13h9M11 19.5h9",
  pulse: "M3 12h4l3-8 4 16 3-8h4",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  unlock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.8-1.2",
  sliders: "M4 8h9M17 8h3M15 6v4M4 16h3M11 16h9M9 14v4",
  plus: "M12 5v14M5 12h14",
  cross: "M6 6l12 12M18 6 6 18",
  chevron: "M7 10l5 5 5-5",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M20 20l-4-4",
  filter: "M4 6h16M7 12h10M10 18h4",
  share: "M12 15V4M8 7.5 12 4l4 3.5M5 13v6h14v-6",
  down: "M12 4v11M8 11.5l4 3.5 4-3.5M5 20h14",
  check: "M5 12.5l4.5 4.5L19 7",
  warning: "M12 4 3 19h18zM12 10v4M12 16.5v.5",
  info: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16M12 11v5M12 8v.5",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1.5 1.5M17.5 17.5 19 19M5 19l1.5-1.5M17.5 6.5 19 5",
  moon: "M20 14A8.5 8.5 0 0 1 10 4a8.5 8.5 0 1 0 10 10",
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  menu: "M4 7h16M4 12h16M4 17h16",
  clock: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16M12 8v4l3 2",
  copy: "M9 9h10v11H9zM5 15V4h10",
  pause: "M8 5v14M16 5v14",
  play: "M7 5l12 7-12 7z",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 20c.6-3.5 3.8-6 8-6s7.4 2.5 8 6",
  cohort:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 19.5c.5-3 3.1-5 6.5-5s6 2 6.5 5M16 4.5a3.5 3.5 0 0 1 0 6.3M18 14.8c2 .8 3.2 2.4 3.5 4.7",
  tag: "M4 4h8l8 8-8 8-8-8zM8 8v.01",
  more: "M5 11.5v1M12 11.5v1M19 11.5v1",
  book: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11"
} as const

export type IconName = keyof typeof iconPaths
