type Child = Node | string | null | false
type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | null>

/**
 * Makes an element: `on…` are listeners, true and false say whether an attribute is there. Texts become text nodes,
 * so that no name can become markup.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value)
    else if (value === true) made.setAttribute(key, '')
    else if (value !== false && value !== null) made.setAttribute(key, String(value))
  }
  made.append(...children.filter((child) => child !== null && child !== false))
  return made
}

const SVG = 'http://www.w3.org/2000/svg'

const ICONS = {
  check: 'M5 12.5l4.5 4.5L19 7.500',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5',
  cross: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  look: 'M12 4l9 16H3zM12 10v4.500M12 17v.6',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
  clock: 'M12 3a9 9 0 1 0 .01 0zM12 7v5l3.500 2',
  truck: 'M3 6h11v10H3zM14 10h4l3 3v3h-7M7.500 19a2 2 0 1 0 .01 0M17.500 19a2 2 0 1 0 .01 0',
  phone: 'M6 3h3l2 5-2.500 1.500a11 11 0 0 0 6 6L16 13l5 2v3a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3z',
  mail: 'M3 6h18v12H3zM3 7l9 7 9-7',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
} as const

/** A drawing beside words that say the same. */
export function icon(name: keyof typeof ICONS): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  svg.setAttribute('class', 'icon')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', ICONS[name])
  svg.append(path)
  return svg
}
