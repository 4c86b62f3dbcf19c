import { long } from '../../text/long.ts'

/** Words for something that comes to what was ordered; folded. */
const ADDS = new RegExp(long`
    zusatz|erganz|mitnehm|\bweitere[rns]?\b|(?<!\bnur )\bnoch (?:bei\b|eine?[mnr]?\b|zwei\b|drei\b|vier\b|\d)
    |\bkommt noch|\bkommen noch|\bhinzu|\bdazu\b|\badditional|\bfurther\b|\banother\b
    |\bextra (?:drop|stop|deliver|collection|pick|pallet|load)|\badd(?:ed|s|ing)?\b|\bmore\b
    |\balso (?:collect|deliver|have|load|need|unload|pick)
    |\bebenfalls\b|\bauch noch\b|\browniez\b|\btakze\b|\bdochodz|\bdolacz|\bdoklada|\bdoloz|\bdorzuc|\bdodatkow
    |\bjeszcze (?:jed|drug|\d)|\bdoda(?:je|ja|c)
  `)
const REPLACES = new RegExp(long`
    statt|anstelle|instead|rather than|zamiast|verschieb|\bmoves?\b|przesu|przeniesi|verlegt|\bnur noch
  `)

/** Whether a part of a mail speaks of something that comes to what was ordered, and not in the place of it. */
export const isAdding = (low: string): boolean => ADDS.test(low) && !REPLACES.test(low)
