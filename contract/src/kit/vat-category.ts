/** UNTDID 5305 as EN 16931 uses it: standard, exempt, zero rated, reverse charge, outside the scope. */
export const VAT_CATEGORIES = ['S', 'E', 'Z', 'AE', 'O'] as const
export type VatCategory = (typeof VAT_CATEGORIES)[number]
