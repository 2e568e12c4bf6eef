# Picture of docs/evidence.md; run in the project's folder: gnuplot docs/pictures/scaling.gp
set terminal pngcairo size 1100,430 font "sans,10"
set output "docs/pictures/scaling.png"
data = "build/tests/bench_scaling.curves"
system("build/tests/bench_scaling curves > ".data)
set logscale x 2
set xrange [1:8192]
set yrange [0:1.05]
set format x "%.0f"
set xtics 1, 4
set grid
set xlabel "workers (ranks x threads)"
set ylabel "efficiency"
set key bottom left Left reverse
set multiplot layout 1,2
set title "cost 1 s, population P, spread s (lines: model, circles: simulation)"
plot data index 0 using 1:3 with lines lw 2 lc 1 title "P 100, s 1", '' index 0 using 1:2 with points pt 6 lc 1 notitle, \
     data index 1 using 1:3 with lines lw 2 lc 2 title "P 1000, s 1", '' index 1 using 1:2 with points pt 6 lc 2 notitle, \
     data index 3 using 1:3 with lines lw 2 lc 3 title "P 1000, s 0.2", '' index 3 using 1:2 with points pt 6 lc 3 notitle, \
     data index 2 using 1:3 with lines lw 2 lc 4 title "P 10000, s 1", '' index 2 using 1:2 with points pt 6 lc 4 notitle
set title "population 10000, spread 1, by the cost of a design"
plot data index 4 using 1:3 with lines lw 2 lc 1 title "10 ms", '' index 4 using 1:2 with points pt 6 lc 1 notitle, \
     data index 5 using 1:3 with lines lw 2 lc 2 title "100 ms", '' index 5 using 1:2 with points pt 6 lc 2 notitle, \
     data index 2 using 1:3 with lines lw 2 lc 4 title "1 s", '' index 2 using 1:2 with points pt 6 lc 4 notitle
