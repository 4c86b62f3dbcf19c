/** Spec §9: the standard text, with more behind it, or another in its place. */
export const CONTENT_MODES = ['standard', 'append', 'replace'] as const
export type ContentMode = (typeof CONTENT_MODES)[number]
