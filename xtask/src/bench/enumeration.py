"""Whether two samples of times differ, for each call: JSON {call: [known, unknown]} in microseconds, in the file of the first argument.

Chances below SUSPICIOUS are called a difference. Several calls are looked at, so that one in a hundred is no wonder.
"""

import json
import sys
from pathlib import Path
from statistics import median

from scipy.stats import ks_2samp, mannwhitneyu

SUSPICIOUS = 0.01

print("call              median known  median unknown   Mann-Whitney p   Kolmogorov-Smirnov p")
for call, (known, unknown) in json.loads(Path(sys.argv[1]).read_text()).items():
    rank, shape = mannwhitneyu(known, unknown).pvalue, ks_2samp(known, unknown).pvalue
    verdict = "differs" if min(rank, shape) < SUSPICIOUS else "can't be told apart"
    print(f"{call:<16} {median(known):>13.0f} {median(unknown):>15.0f} {rank:>16.3f} {shape:>22.3f}   {verdict}")
