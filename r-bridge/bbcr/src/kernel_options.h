#pragma once

// The same bits everywhere: a product and a sum are never contracted to one rounding. Processors
// without such an instruction in their baseline need no pragma.
#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__FMA__) || !defined(__x86_64__)
#pragma GCC optimize("fp-contract=off")
#endif
