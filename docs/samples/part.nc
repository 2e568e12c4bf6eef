%
O1000 (a slot with rounded ends, and back around a corner)
N10 G21 G90 G17 G94 (millimetres, absolute, x-y plane)
N20 T1 M6 S8000 M3
N30 G0 X-40 Y-20 Z0
N40 G1 X40 F1200
N50 G3 X40 Y20 I0 J20
N60 G1 X-40
N70 G2 X-60 Y40 R20
N80 G91 G1 X0 Y15
N90 M30
%
