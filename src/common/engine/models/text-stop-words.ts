const WORDS = `
  a an the and or but nor so if then than as at by for from in into of off on onto out over to up with without
  within while during through between about above below under again
  am is are was were be been being do does did doing have has had having can could will would shall should may might must
  i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
  this that these those there here which who whom whose what when where why how
  not no only just also too very such some any each both all other another s t d ll m re ve
`;

/** Frequent English words with little meaning, including the parts of "it's" and "don't". */
export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
