/** A long pattern in several lines: their breaks, with the blanks behind them, are no part of it. */
export const long = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  String.raw(parts, ...values).replace(/\n\s*/g, '')
