/** The file name of a PDF: without signs that no file name takes, and with one dot where its title ends with one. */
export const pdfName = (title: string): string =>
  `${title
    .replace(/[\\/:*?"<>|]+/g, '-')
    .slice(0, 180)
    .replace(/[. ]+$/, '')}.pdf`
