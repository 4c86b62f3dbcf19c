import type { ReactElement } from 'react'

/** Our own strokes on a 16 px grid; they take the text's colour. */
const STROKES = {
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="M10.5 10.5 14 14" />
    </>
  ),
  plus: <path d="M8 3v10M3 8h10" />,
  chevronDown: <path d="m4 6 4 4 4-4" />,
  chevronRight: <path d="m6 4 4 4-4 4" />,
  chevronUp: <path d="m4 10 4-4 4 4" />,
  chevronLeft: <path d="m10 4-4 4 4 4" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  check: <path d="m3 8.5 3.5 3.5L13 5" />,
  alert: <path d="M8 2 1.5 13.5h13zM8 6.5v3M8 11.6v.1" />,
  info: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 7.4v3.6M8 5v.1" />
    </>
  ),
  truck: (
    <>
      <path d="M1 4h8v7H1zM9 6.5h3l3 2.5v2H9" />
      <circle cx="4" cy="12" r="1.5" />
      <circle cx="12" cy="12" r="1.5" />
    </>
  ),
  tag: <path d="M2 2.5h5.5l6.500 6.500-5 5L2.500 7.500zM5.200 5.400v.1" />,
  box: <path d="M2 5l6-3 6 3v6l-6 3-6-3zM2 5l6 3 6-3M8 8v6" />,
  pin: (
    <>
      <path d="M8 14.5C4.5 10.6 3 8.6 3 6.5a5 5 0 0 1 10 0c0 2.1-1.5 4.1-5 8z" />
      <circle cx="8" cy="6.5" r="1.7" />
    </>
  ),
  building: <path d="M3 14V2.5h7V14M10 6h3.5v8M1.5 14h13M5.5 5.5h2M5.5 8h2M5.5 10.5h2" />,
  users: (
    <>
      <circle cx="6" cy="5.5" r="2.5" />
      <path d="M1.5 13.5c0-2.6 2-4.2 4.5-4.2s4.5 1.6 4.5 4.2" />
      <path d="M10.5 3.3a2.5 2.5 0 0 1 0 4.5M12.3 9.7c1.4.6 2.2 1.9 2.2 3.8" />
    </>
  ),
  file: <path d="M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M5.5 8h5M5.5 10.8h5" />,
  mail: <path d="M1.5 3.5h13v9h-13zM1.5 4.5 8 9l6.5-4.5" />,
  gear: (
    <>
      <circle cx="8" cy="8" r="2.2" />
      <path d="M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2" />
      <path d="M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4" />
    </>
  ),
  dashboard: <path d="M2 2h5v6H2zM9 2h5v3.5H9zM9 8h5v6H9zM2 10.5h5V14H2z" />,
  board: <path d="M2.5 3.5h6M5 8h7M8.5 12.5h5" />,
  chart: <path d="M2 14h12M4 11.5V8M8 11.5V3M12 11.5V6" />,
  list: <path d="M2 4h1M5.5 4H14M2 8h1M5.5 8H14M2 12h1M5.5 12H14" />,
  user: (
    <>
      <circle cx="8" cy="5.2" r="2.9" />
      <path d="M2.5 14c0-3 2.4-4.8 5.5-4.8s5.5 1.8 5.5 4.8" />
    </>
  ),
  bell: (
    <path d="M3 11.5c1.2-1 1.2-2.2 1.2-4.3C4.2 4.6 5.8 2.8 8 2.8s3.8 1.8 3.8 4.4c0 2.1 0 3.3 1.2 4.3zM6.5 13.6h3" />
  ),
  help: (
    <>
      <circle cx="8" cy="8" r="6.2" />
      <path d="M6.2 6.3c0-1 .8-1.8 1.8-1.8s1.8.7 1.8 1.7c0 1.4-1.8 1.5-1.8 3M8 11.4v.1" />
    </>
  ),
  menu: <path d="M2 4h12M2 8h12M2 12h12" />,
  filter: <path d="M2 3.5h12M4.5 8h7M6.5 12.5h3" />,
  columns: <path d="M2 2.5h12v11H2zM6 2.5v11M10 2.5v11" />,
  download: <path d="M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11" />,
  upload: <path d="M8 10.5V2.5M4.8 5.5 8 2.3l3.2 3.2M2.5 13.5h11" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="6.2" />
      <path d="M8 4.5V8l2.5 1.7" />
    </>
  ),
  link: <path d="M6.5 9.5l3-3M7 4.5l1.3-1.3a3 3 0 0 1 4.3 4.3L11.4 8.8M9 11.5l-1.3 1.3a3 3 0 0 1-4.3-4.3L4.6 7.2" />,
  copy: <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />,
  eye: (
    <>
      <path d="M1.2 8C2.8 5 5.2 3.5 8 3.5S13.2 5 14.8 8c-1.6 3-4 4.5-6.8 4.5S2.8 11 1.2 8z" />
      <circle cx="8" cy="8" r="2" />
    </>
  ),
  more: <path d="M3 8h.1M8 8h.1M13 8h.1" strokeWidth="2.4" />,
  grip: <path d="M6 3.5h.1M10 3.5h.1M6 8h.1M10 8h.1M6 12.5h.1M10 12.5h.1" strokeWidth="2" />,
  arrowRight: <path d="M2.5 8h11M9.5 4l4 4-4 4" />,
  arrowUp: <path d="M8 13V3M4 7l4-4 4 4" />,
  arrowDown: <path d="M8 3v10M4 9l4 4 4-4" />,
  lock: <path d="M3.5 7h9v6.5h-9zM5.2 7V5a2.8 2.8 0 0 1 5.6 0v2" />,
  merge: <path d="M3 2.5v2c0 2 5 2.5 5 5.5v3.5M13 2.5v2c0 2-5 2.5-5 5.5" />,
  phone: (
    <path
      d={[
        'M3 2.5h2.5l1.2 3-1.6 1.2c.7 1.6 1.9 2.8 3.5 3.5l1.2-1.6 3 1.2v2.5c0 .7-.6 1.2-1.3 1.2',
        'C6.5 13 2.5 9 1.9 3.8 1.8 3.1 2.3 2.5 3 2.5z',
      ].join('')}
      transform="translate(.6 .2)"
    />
  ),
  note: <path d="M2.5 2.5h11v7l-4 4h-7zM9.5 13.5v-4h4" />,
  history: <path d="M2.5 3v3h3M2.7 6A6 6 0 1 1 2 8.7M8 5v3.3l2.3 1.4" />,
  calendar: <path d="M2 3.5h12v10.5H2zM2 6.5h12M5 1.8v3M11 1.8v3" />,
  bulb: (
    <path d="M6 12h4M6.5 14h3M8 1.8a4.3 4.3 0 0 0-2.6 7.7c.5.4.6 1 .6 2.5h4c0-1.5.1-2.1.6-2.5A4.3 4.3 0 0 0 8 1.8z" />
  ),
  trash: <path d="M2.5 4h11M6 4V2.5h4V4M4 4l.6 9.5h6.8L12 4" />,
  edit: <path d="M2.5 13.5l.7-3 7.5-7.5 2.3 2.3-7.5 7.5zM9.5 4.2l2.3 2.3" />,
  camera: (
    <>
      <path d="M1.5 4.5h3L6 2.8h4l1.5 1.7h3v8.5h-13z" />
      <circle cx="8" cy="8.5" r="2.5" />
    </>
  ),
  refresh: <path d="M13.5 3v3.2h-3.2M13.2 6A5.8 5.8 0 1 0 13.8 9" />,
  globe: (
    <>
      <circle cx="8" cy="8" r="6.2" />
      <path d="M1.8 8h12.4M8 1.8c2.2 2 2.8 4 2.8 6.2S10.2 12.2 8 14.2C5.8 12.2 5.2 10.2 5.2 8S5.8 3.8 8 1.8z" />
    </>
  ),
  undo: <path d="M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6" />,
  redo: <path d="m10.5 3 3 3-3 3M13.5 6H6a3.5 3.5 0 0 0 0 7h4" />,
  send: <path d="M14 2 1.8 7l4.7 2.2L9 14z M6.5 9.2 14 2" />,
  euro: <path d="M12.5 4A5 5 0 0 0 4.5 8a5 5 0 0 0 8 4M2.5 6.8h6.5M2.5 9.2h6.5" />,
  panel: <path d="M2 2.5h12v11H2zM6.5 2.5v11" />,
  panelRight: <path d="M2 2.5h12v11H2zM9.5 2.5v11" />,
  rows: <path d="M2 3.5h12M2 6.5h12M2 9.5h12M2 12.5h12" />,
  sort: <path d="M8 3v10M4.5 9.5 8 13l3.5-3.5" />,
  spinner: <path d="M8 1.8a6.2 6.2 0 1 1-6.2 6.2" />,
  offline: <path d="M1.5 6c4-3.6 9-3.6 13 0M4 8.7c2.5-2 5.5-2 8 0M8 12v.1M2 2l12 12" />,
  key: (
    <>
      <circle cx="5" cy="11" r="3" />
      <path d="M7.2 8.8 13.5 2.5M11 5l2 2" />
    </>
  ),
  chat: <path d="M2 2.5h12v8.5H7l-3 3v-3H2z" />,
  inbox: <path d="M2 9.5 4 3h8l2 6.5v4H2zM2 9.5h3.5c0 1.5 1 2.2 2.5 2.2s2.5-.7 2.5-2.2H14" />,
} satisfies Record<string, ReactElement>

export type IconName = keyof typeof STROKES

interface IconProps {
  name: IconName
  /** px, 16 by default; 13 beside small text */
  size?: number
  className?: string
  /** Only where the icon stands alone; beside words it is decoration. */
  label?: string
}

/** One icon. */
export function Icon({ name, size = 16, className, label }: IconProps) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      style={{ flex: 'none' }}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {STROKES[name]}
    </svg>
  )
}
