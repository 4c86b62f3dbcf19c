/**
 * What a customer gets as its invoice: our PDF, a PDF with CII in it (ZUGFeRD and Factur-X, profile EN 16931), or an
 * XRechnung 3.0 in one of its two syntaxes.
 */
export const CUSTOMER_FORMATS = ['pdf', 'zugferd', 'xrechnungCii', 'xrechnungUbl'] as const
export type CustomerFormat = (typeof CUSTOMER_FORMATS)[number]

/** True where the XML is the invoice, and the PDF only goes with it. */
export const isXRechnung = (format: CustomerFormat): boolean => format === 'xrechnungCii' || format === 'xrechnungUbl'
